// Runs on other engines only with TEST_LONG: a full disk is met by the embedded engines.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "./errors.ts";
import { describeOnSmallDisk, takeTheRest, useSmallDisk } from "../../tests/kit/faults/small-disk.ts";
import { newDirectory, useScratch } from "../../tests/kit/scratch.ts";
import { openSqliteWithThread } from "../../tests/kit/engine.ts";
import { openSqlite } from "./database/sqlite.ts";
import { sql } from "./database/sql.ts";
import { openDisk } from "./disk.ts";
import { createLog } from "./log.ts";
import { until } from "../../tests/kit/until.ts";
import { testLong } from "../../tests/kit/long.ts";

const mebibyte = 2 ** 20;
const scratch = useScratch();

function collectLog() {
  const lines: { level: string; message: string; reason?: string }[] = [];
  const output = {
    write: (text: string) => (
      lines.push(
        ...text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ),
      true
    ),
  };
  const log = createLog("info", { pretty: false, output: { ...output, close() {} } });
  return { log, lines: () => (log.flush(), lines) };
}

const codeOf = (work: () => void) => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as Problem).code;
  }
};

testLong("errors of the disk become problems, and the log says why once", async () => {
  const { log, lines } = collectLog();
  const disk = openDisk(newDirectory(scratch), true, { log });
  const failing = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });
  expect(disk.trouble()).toBeNull();
  for (const code of ["EIO", "SQLITE_IOERR_WRITE"])
    expect(disk.explain(failing(code))).toMatchObject({ code: "unavailable" });
  expect(disk.trouble()).toBe("failing");
  expect(codeOf(disk.refuseWhenTroubled)).toBeNull();
  // A quota can be used up while the disk has space.
  for (const code of ["EDQUOT", "ENOSPC", "SQLITE_FULL"])
    expect(disk.explain(failing(code))).toMatchObject({ code: "full" });
  expect(codeOf(disk.refuseWhenTroubled)).toBe("full");
  expect(codeOf(() => disk.claim(1))).toBe("full");
  const other = new Error("another");
  expect(disk.explain(other)).toBe(other);
  const refusal = new Problem("missing", "There is no such thing.");
  expect(disk.explain(refusal)).toBe(refusal);
  expect(lines().map(({ level, reason }) => [level, reason])).toEqual([
    ["error", "EIO: it failed"],
    ["error", "EDQUOT: it failed"],
  ]);
  // The reserve can be filled again, so there is space.
  await until(() => disk.trouble() !== "full");
  await disk.close();
});

testLong("the reserve takes up space, is released once, and is filled again", async () => {
  const directory = newDirectory(scratch);
  const disk = openDisk(directory, true);
  const size = () => statSync(join(directory, "reserve")).size;
  await until(() => size() === 16 * mebibyte);
  expect(disk.releaseReserve()).toBe(true);
  expect(size()).toBe(0);
  expect(disk.releaseReserve()).toBe(false);
  await until(() => size() === 16 * mebibyte);
  await disk.close();
});

test("without a reserve, nothing is created", async () => {
  const directory = newDirectory(scratch);
  const disk = openDisk(directory, false);
  await disk.close();
  expect(existsSync(join(directory, "reserve"))).toBe(false);
});

describeOnSmallDisk("on a full disk", () => {
  describe.each([
    ["a database", openSqlite],
    ["a database with a thread", openSqliteWithThread],
  ])("%s", (_name, open) => {
    const small = useSmallDisk(64);

    test("uses the reserve, then fails as a whole, and works again when there is space", async () => {
      const directory = join(small, "data");
      mkdirSync(directory);
      const disk = openDisk(directory, true);
      const db = await open(join(directory, "test.db"), { disk });
      await db.transaction((tx) => tx.run(sql`CREATE TABLE texts (text TEXT NOT NULL)`));
      await until(() => statSync(join(directory, "reserve")).size === 8 * mebibyte);
      const write = (megabytes: number) =>
        db.transaction((tx) => tx.run(sql`INSERT INTO texts VALUES (${"x".repeat(megabytes * 1_000_000)})`));
      const count = async () => (await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM texts`))?.count;

      takeTheRest(small);
      // One that fits only into the reserve; then several at once, of which one does not fit.
      await write(3);
      expect(await count()).toBe(1);
      const results = await Promise.allSettled([write(0), write(20), write(0)]);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ code: "full" });
      expect(await count()).toBe(3);

      rmSync(join(small, "another-program"));
      await write(20);
      expect(await count()).toBe(4);
      expect(await db.get(sql`PRAGMA integrity_check`)).toEqual({ integrity_check: "ok" });
      await db.close();
      await disk.close();
    });
  });
});
