import { describe, expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "./folder.ts";
import { openTar } from "./tar.ts";
import type { Tree } from "./tree.ts";
import { openZip } from "./zip.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";

const scratch = useScratch();
const long = `${"a long name ".repeat(12)}é.txt`;
const deep = `${"deep/".repeat(40)}file.txt`;

/** What a tree contains, by path: the text of a file, null for a directory, or why it cannot be used. */
async function contentOf(tree: Tree): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for await (const entry of tree.list()) {
    if ("reason" in entry) found[entry.path] = `(${entry.reason})`;
    else if ("isDirectory" in entry) found[entry.path.join("/")] = null;
    else found[entry.path.join("/")] = await readText(entry.open()).catch((error: Error) => `(${error.message})`);
  }
  return found;
}

const readText = async (bytes: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(bytes)).toString();

async function writeZip(name: string, files: Record<string, string>): Promise<string> {
  const path = join(scratch, name);
  const inputs = Object.entries(files).map(([file, input]) => ({ name: file, input }));
  writeFileSync(path, await downloadZip(inputs).bytes());
  return path;
}

function makeFolder(): string {
  const folder = newDirectory(scratch);
  mkdirSync(join(folder, "sub/empty"), { recursive: true });
  mkdirSync(join(folder, "__MACOSX"));
  for (const [name, text] of Object.entries({
    "a.txt": "a",
    "sub/b.txt": "b".repeat(600_000),
    [long]: "long",
    "sub/._b.txt": "x",
  }))
    writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "__MACOSX/x"), "x");
  symlinkSync("a.txt", join(folder, "link"));
  return folder;
}

const expected = {
  "a.txt": "a",
  "sub/b.txt": "b".repeat(600_000),
  [long]: "long",
  sub: null,
  "sub/empty": null,
  link: expect.stringContaining("link"),
};

test("a folder is listed without what systems leave in it, and links are refused", async () => {
  await using tree = openFolder(makeFolder());
  expect(await contentOf(tree)).toEqual(expected);
});

describe("a tar archive", () => {
  test.each(["gnu", "pax"])("in the format %s has the same content, compressed and not", async (format) => {
    const folder = makeFolder();
    mkdirSync(join(folder, "deep/".repeat(40)), { recursive: true });
    writeFileSync(join(folder, deep), "deep");
    for (const [flags, name] of [
      ["-c", "x.tar"],
      ["-cz", "x.tgz"],
    ] as const) {
      const made = Bun.spawnSync(["tar", flags, `--format=${format}`, "-f", join(scratch, name), "-C", folder, "."]);
      expect(made.exitCode).toBe(0);
      await using tree = await openTar(join(scratch, name), name === "x.tgz");
      expect(tree.name).toBe("x");
      expect(await contentOf(tree)).toMatchObject({ ...expected, [deep]: "deep" });
    }
  });

  test("that is cut off has what comes before, and says so; other bytes are none", async () => {
    const folder = makeFolder();
    const whole = join(scratch, "whole.tgz");
    expect(Bun.spawnSync(["tar", "-czf", whole, "-C", folder, "a.txt", "sub/b.txt"]).exitCode).toBe(0);
    const cut = join(scratch, "cut.tgz");
    writeFileSync(cut, readFileSync(whole).subarray(0, -300));
    await using tree = await openTar(cut, true);
    const content = await contentOf(tree);
    expect(content["a.txt"]).toBe("a");
    expect(content["cut.tgz"]).toStartWith("(It is cut off or damaged");
    writeFileSync(cut, "no archive at all, only a text".repeat(50));
    expect(openTar(cut, false)).rejects.toThrow("It is not a tar archive");
    expect(openTar(cut, true)).rejects.toThrow("It is not a tar archive");
  });
});

describe("a zip archive", () => {
  test("has the files in it; names that lead out of it, links and damaged files are refused one by one", async () => {
    const path = await writeZip("a.zip", {
      "a.txt": "a",
      "sub/é.txt": "é",
      "../out.txt": "x",
      "/etc/passwd": "x",
      "sub\\back.txt": "back",
      "__MACOSX/._a": "x",
      "damaged.txt": "damaged",
    });
    const bytes = readFileSync(path);
    bytes.write("DAMAGED", bytes.indexOf("damaged.txtdamaged") + 11);
    writeFileSync(path, bytes);
    await using tree = await openZip(path);
    const all = {
      "a.txt": "a",
      "sub/é.txt": "é",
      "../out.txt": '(Its path contains "..".)',
      "/etc/passwd": "(Its path is absolute.)",
      "sub/back.txt": "back",
      "damaged.txt": "(It is damaged: its checksum is wrong.)",
    };
    expect(await contentOf(tree)).toEqual(all);
    expect(await contentOf(tree)).toEqual(all);
  });

  test("that is cut off, or is none, is refused with a sentence", async () => {
    const path = await writeZip("whole.zip", { "a.txt": "a".repeat(1000) });
    writeFileSync(path, readFileSync(path).subarray(0, -30));
    expect(openZip(path)).rejects.toThrow("It is not a whole zip archive");
  });
});
