// Runs on the embedded engines only: these are files, and no records.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKeptDirectory, keepDatabase } from "./kept-databases.ts";
import { until } from "../../../tests/kit/until.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const scratch = useScratch();

const ids = [1, 2, 3].map((number) => `20261117T03000000${number}Z-0f793b2${number}`) as [string, string, string];

test("the databases of the last two backups are kept, and nothing else is touched", async () => {
  const directory = join(scratch, "databases");
  let extracted = 0;
  const keep = (id: string) =>
    keepDatabase(directory, id, async () => {
      const path = join(directory, `draft ${extracted++}`);
      writeFileSync(path, "");
      return path;
    });
  const use = async (id: string, time: number) => utimesSync(await keep(id), time, time);
  await use(ids[0], 1);
  writeFileSync(join(directory, "letter.db"), "");
  await use(ids[1], 2);
  writeFileSync(join(directory, `${ids[1]}.db-wal`), "");
  await use(ids[0], 3);
  expect(extracted).toBe(2);
  await use(ids[2], 4);
  expect(extracted).toBe(3);
  expect(readdirSync(directory).toSorted()).toEqual([`${ids[0]}.db`, `${ids[2]}.db`, "letter.db"]);
});

test("the directory is removed some time after its last use, and when it is closed", async () => {
  const root = join(scratch, "spool");
  const [soon, late] = [createKeptDirectory(root, 1), createKeptDirectory(root, 3_600_000)];
  const fill = async (directory: string | null) => {
    const path = join(directory ?? "", "copy");
    writeFileSync(path, "");
    return path;
  };
  const paths = [await soon.use(fill), await late.use(fill)] as const;
  await until(() => !existsSync(paths[0]));
  expect(existsSync(paths[1])).toBe(true);
  await late.close();
  expect(existsSync(paths[1])).toBe(false);

  // What a server that was killed has left is removed when the next one starts.
  const left = join(root, "1", "copy");
  await Bun.write(left, "");
  const next = createKeptDirectory(root, 3_600_000);
  await until(() => !existsSync(left));
  await next.close();
});
