// Runs on the embedded engines only: the log of PostgreSQL is its own.
import { Database as Sqlite } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";
import { usualLogBytes } from "./wal.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const directory = useScratch();

test("a log that another reader has let grow is named, and shortened when that reader has ended", async () => {
  const path = join(directory, "vitrine.db");
  const db = await openSqlite(path);
  const logBytes = () => statSync(`${path}-wal`).size;
  let written = 0;
  /** Pages that do not change are not written again. */
  const write = () => {
    const megabyte = String.fromCodePoint(33 + (written++ % 90)).repeat(2 ** 20);
    return db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO settings (name, value) VALUES ('large', ${megabyte})
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`),
    );
  };
  for (let count = 0; count < 30; count++) await write();
  expect(logBytes()).toBeLessThan(usualLogBytes);
  expect(db.largeLogBytes()).toBeNull();

  const printed = spyOn(console, "error").mockImplementation(() => {});
  const reader = new Sqlite(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM settings").get();
  for (let count = 0; count < 70; count++) await write();
  expect(logBytes()).toBeGreaterThan(64 * 2 ** 20);
  expect(db.largeLogBytes()).toBe(logBytes());
  expect(printed.mock.calls.map(([line]) => line)).toEqual([
    expect.stringMatching(
      /^vitrine: the log of the database has grown to \d+ MB: by a very large change, or because another program keeps reading /,
    ),
  ]);
  printed.mockRestore();

  reader.run("COMMIT");
  reader.close();
  for (let count = 0; count < 3; count++) await write();
  expect(logBytes()).toBeLessThanOrEqual(usualLogBytes);
  expect(db.largeLogBytes()).toBeNull();
  await db.close();
});
