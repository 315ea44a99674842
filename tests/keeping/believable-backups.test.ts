// Runs on the embedded engines only: it is about the files of a backup in a folder.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateKeys } from "../../src/platform/backups/encryption.ts";
import { unreadable } from "../../src/platform/backups/reading.ts";
import { chooseIDs, verifyBackups } from "../../src/platform/backups/verify.ts";
import { backup, filesBelow, flipByte } from "../kit/backup-kit.ts";
import { backUp, makeBackedUpSite, withBackups } from "../kit/backed-up-site.ts";
import { runVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const words = ["first words", "second words"];
let site: string;
beforeAll(async () => void (site = await makeBackedUpSite(scratch, words)));

const newFolder = () => join(newDirectory(scratch), "backups");

describe("an encrypted backup", () => {
  test("never has anything readable where it is stored, not even while it is made", async () => {
    const folder = newFolder();
    const { recipient } = await generateKeys();
    let looks = 0;
    const look = () => {
      looks++;
      for (const path of filesBelow(folder)) {
        if (/\/(README\.txt|vitrine-backups\.json)$/.test(path)) continue;
        const text = readFileSync(path, "latin1");
        expect([path, text.slice(0, 21)]).toEqual([path, text === "" ? "" : "age-encryption.org/v1"]);
      }
    };
    await backUp(site, folder, {
      keys: { recipient },
      site: ({ openBlob, exportDatabase }) => ({
        openBlob: (sha256) => openBlob(sha256).finally(look),
        exportDatabase: (path) => exportDatabase(path).finally(look),
      }),
      place: ({ make, add }) => ({
        make: (bytes) => make(bytes).finally(() => looks > 0 && look()),
        add: (name, made) => add(name, made).finally(() => looks > 0 && look()),
      }),
    });
    expect(looks).toBe(1 + words.length + 2 * (words.length + 3));
  });
});

describe("a damaged file of a backup", () => {
  const verify = async (folder: string, ...more: string[]) => {
    const { code, stdout } = await runVitrine(["backup", "verify", "--from", folder, ...more], {});
    return { code, stdout };
  };

  test("is set aside when somebody asks for it, and then stored again", async () => {
    const folder = newFolder();
    const create = () => backup(["create", "--to", folder], { DATA_DIR: site });
    await create();
    const [blob = ""] = filesBelow(join(folder, "blobs"));
    const text = readFileSync(blob, "utf8");
    flipByte(blob);
    const before = filesBelow(folder);
    expect(await verify(folder)).toEqual({ code: 1, stdout: expect.stringMatching(/^damaged: blobs\//) as string });
    expect(filesBelow(folder)).toEqual(before);
    expect(await verify(folder, "--repair")).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^set aside: blobs\//) as string,
    });
    const aside = filesBelow(join(folder, "damaged"));
    expect(aside).toEqual([blob.replace("/blobs/", "/damaged/")]);
    expect(filesBelow(join(folder, "blobs"))).toHaveLength(words.length - 1);

    // What is whole can still be restored.
    const restored = join(newDirectory(scratch), "site");
    const { code, stdout } = await runVitrine(["backup", "restore", "--from", folder], { DATA_DIR: restored });
    expect([code, stdout]).toEqual([1, expect.stringContaining("has lost the bytes of 1 file") as string]);

    await create();
    expect(readFileSync(blob, "utf8")).toBe(text);
    expect(await verify(folder)).toEqual({
      code: 0,
      stdout: expect.stringContaining("all are as they were") as string,
    });
  });

  test("is one whose bytes have arrived: a failure to read it is no damage, and nothing is set aside", async () => {
    const folder = newFolder();
    await backUp(site, folder);
    const lines: string[] = [];
    /** The first of the files cannot be read so often. */
    const verifyFailing = (failures: number) =>
      withBackups(
        folder,
        {
          place: ({ open }) => ({
            async open(name) {
              const isCut = name.startsWith("blobs/") && failures-- > 0;
              return isCut ? withoutEnd(await open(name)) : open(name);
            },
          }),
        },
        async (repository) => {
          lines.length = 0;
          const options = { share: 1, isRepair: true, say: (line: string) => void lines.push(line) };
          return verifyBackups(repository, await chooseIDs(repository, undefined), options);
        },
      );
    expect([await verifyFailing(2), lines]).toEqual([{ files: 2, read: 2, problems: 0 }, []]);
    const notReadable = [expect.stringMatching(/^not readable: blobs\//)] as string[];
    expect([await verifyFailing(3), lines]).toEqual([{ files: 2, read: 2, problems: 1 }, notReadable]);
    expect(filesBelow(join(folder, "blobs"))).toHaveLength(words.length);
  });
});

/** A body that breaks off after its first byte. */
function withoutEnd(bytes: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
  const cutting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, 1));
      controller.error(unreadable("a folder", new Error("The connection was closed.")));
    },
  });
  return bytes && bytes.pipeThrough(cutting);
}
