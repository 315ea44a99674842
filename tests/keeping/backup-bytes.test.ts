// Runs on the embedded engines only: it is about the files of a backup in a folder.
import { beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generateKeys } from "../../src/platform/backups/encryption.ts";
import { BackupError } from "../../src/platform/backups/place.ts";
import { chooseIDs, verifyBackups } from "../../src/platform/backups/verify.ts";
import { backUp, makeBackedUpSite, withBackups } from "../kit/backed-up-site.ts";
import { filesBelow } from "../kit/backup-kit.ts";
import { isLong } from "../kit/long.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
let site: string;
beforeAll(async () => void (site = await makeBackedUpSite(scratch, ["first words", "second words"])));

/** Of each file. `npm run test:long` changes every byte. */
const sampleBytes = 8;

test.each(["readable", "encrypted"])(
  "a bit that is flipped in any byte of any file of a backup that is %s is noticed",
  async (kind) => {
    const folder = join(newDirectory(scratch), "backups");
    const { recipient, identity } = await generateKeys();
    const identityFile = join(newDirectory(scratch), "key.txt");
    writeFileSync(identityFile, identity);
    const isEncrypted = kind === "encrypted";
    await backUp(site, folder, isEncrypted ? { keys: { recipient } } : {});
    const keys = isEncrypted ? { identityFile } : {};
    const table: [name: string, size: number, flipped: number, noticed: number][] = [];
    const files = filesBelow(folder).filter((path) => !path.endsWith("/lock"));
    for (const path of files) {
      const whole = readFileSync(path);
      const positions = positionsIn(whole.length);
      let noticed = 0;
      for (const at of positions) {
        writeApart(path, whole.with(at, (whole[at] ?? 0) ^ (1 << (at % 8))));
        if (await isNoticed(folder, keys)) noticed++;
      }
      writeApart(path, whole);
      table.push([relative(folder, path), whole.length, positions.length, noticed]);
    }
    if (isLong) console.table(table.map(([file, bytes, flipped, noticed]) => ({ file, bytes, flipped, noticed })));
    expect(table.filter(([, , flipped, noticed]) => noticed < flipped)).toEqual([]);
    expect(await isNoticed(folder, keys)).toBe(false);
  },
);

function positionsIn(size: number): number[] {
  const all = Array.from({ length: size }, (_, at) => at);
  if (isLong || size <= sampleBytes) return all;
  return all.filter((at) => at % Math.ceil(size / sampleBytes) === size % Math.ceil(size / sampleBytes));
}

/** A file of the site may be linked here, and must not change. */
function writeApart(path: string, bytes: Uint8Array): void {
  rmSync(path);
  writeFileSync(path, bytes);
}

async function isNoticed(folder: string, keys: { identityFile?: string }): Promise<boolean> {
  try {
    return await withBackups(folder, { keys }, async (repository) => {
      const options = { share: 1, isRepair: false, say: () => {} };
      const { problems } = await verifyBackups(repository, await chooseIDs(repository, undefined), options);
      return problems > 0;
    });
  } catch (error) {
    if (error instanceof BackupError) return true;
    throw error;
  }
}
