// Runs on the embedded engines only: it is about files on the local disk.
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../kit/backup-kit.ts";
import { client } from "../kit/client.ts";
import { variablesOfDisk } from "../kit/faults/power-cut-site.ts";
import { testLong } from "../kit/long.ts";
import { password } from "../kit/people.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

/** A command that says that something is complete has it on the disk, with its names. */

const scratch = useScratch();
const env = { DATA_DIR: join(scratch, "data") };

beforeAll(async () => {
  await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
  await using server = await startVitrine(env);
  const { body } = await client(server).post("/signin", { username: "writer", password });
  for (const size of [100, 600_000])
    await client(server, body.token).upload(`${size}.bin`, Buffer.alloc(size, String(size)));
});

/** What is written, and whether it looks complete. */
const isManifest = (path: string) => /manifest\.json(\.age)?$/.test(path);
const hasIndex = (path: string) =>
  path.endsWith("vitrine-export.json") && readFileSync(path, "utf8").includes('"isComplete": true');
const backup = { words: ["backup", "create", "--to"], more: {}, isComplete: isManifest };
const commands = {
  backup,
  "sealed backup": { ...backup, more: { BACKUP_PASSPHRASE: "a passphrase that is only for this test" } },
  export: { words: ["export"], more: {}, isComplete: hasIndex },
};
type Command = (typeof commands)[keyof typeof commands];

async function runOnFailingDisk({ words, more, isComplete }: Command, number: number | "each") {
  const directory = newDirectory(scratch);
  const to = join(directory, "data");
  mkdirSync(to);
  const calls = number === "each" ? ["sync"] : ["sync", "fsync"];
  const disk = variablesOfDisk(directory, { fails: { number, code: "EIO", calls } });
  const { code, stderr } = await runVitrine([...words, to], { ...env, ...more, ...disk });
  return { code, hasFailed: stderr.includes("The disk fails"), complete: filesBelow(to).filter(isComplete).length };
}

describe("on a disk whose flushes fail", () => {
  test.each(Object.entries<Command>(commands))("no %s is complete if those of files fail", async (_name, command) => {
    expect(await runOnFailingDisk(command, "each")).toEqual({ code: 1, hasFailed: true, complete: 0 });
  });

  for (const [name, command] of Object.entries<Command>(commands)) {
    testLong(`no ${name} is said to be complete, whichever fails`, async () => {
      const codes: number[] = [];
      for (let number = 1; ; number++) {
        const { code, hasFailed, complete } = await runOnFailingDisk(command, number);
        if (hasFailed) codes.push(code);
        else {
          expect([code, complete]).toEqual([0, 1]);
          break;
        }
      }
      expect(codes.length).toBeGreaterThan(5);
      expect(new Set(codes)).toEqual(new Set([1]));
    });
  }
});
