import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDatabase, openSqliteWithThread } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import type { Change, Database, Queries } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { sql } from "./sql.ts";
import { blob, table } from "./table.ts";
import { openSqlite } from "./sqlite.ts";
import type { Schema } from "./tables.ts";

const scratch = useScratch();

/** What was derived, in the order in which it was. */
const derived: [string, Change[]][] = [];
const note = (name: string) => (_tx: Queries, changes: Change[]) => void derived.push([name, changes]);

const blobs = { sha256: blob("", { size: "size", counts: "elsewhere", owner: () => "0", label: () => "''" }) };
const schema: Schema = {
  tables: [table("file_versions", blobs)],
  documents: [{ kind: "album", table: "albums" }],
  maintained: [],
  derived: [
    { kind: "album", from: ["is_private"], derive: note("total") },
    { kind: "album", from: ["name"], derive: note("names") },
  ],
  deriveSchema: [],
  migrations: [],
};

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`), { schema }),
  "sqlite with a thread": () => openSqliteWithThread(join(scratch, `${crypto.randomUUID()}.db`), { schema }),
};
if (process.env.TEST_DATABASE_URL) engines.postgres = async () => openPostgres(await makeDatabase(), { schema });

const failureOf = (db: Database, work: (tx: Queries) => Promise<unknown>): Promise<string> =>
  db.transaction(work).then(
    () => "none",
    (error: Error) => error.message,
  );

const insertAlbum = sql`
  INSERT INTO albums (owner_id, name, created_at, updated_at) VALUES (1, 'One', 1, 1) RETURNING id`;

async function createTold(tx: Queries): Promise<void> {
  const { id } = (await tx.get<{ id: number }>(insertAlbum)) ?? { id: 0 };
  await tx.changed("album", [{ id, before: null, after: { name: "One", is_private: 0 } }]);
}

describe.each(Object.entries(engines))("what follows from records on %s", (_name, open) => {
  const withAlbums = async (work: (db: Database) => Promise<void>) => {
    const db = await open();
    await db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO users (id, username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
        VALUES (1, 'a', 'a', 'a', 'x', 'author', 1, 1)`),
    );
    derived.length = 0;
    try {
      await work(db);
    } finally {
      await db.close();
    }
  };

  test("is derived from the columns that were changed", () =>
    withAlbums(async (db) => {
      const changes = [
        { id: 1, before: null, after: { name: "One", is_private: 0 } },
        { id: 2, before: { is_private: 0 }, after: { is_private: 1 } },
        { id: 3, before: { name: "Three", is_private: 0 }, after: { name: "Third", is_private: 0 } },
        { id: 4, before: { is_private: 0 }, after: { is_private: 0, description: "x" } },
      ];
      await db.transaction((tx) => tx.changed("album", changes));
      expect(derived).toEqual([
        ["total", [changes[0], changes[1]] as Change[]],
        ["names", [changes[0], changes[2]] as Change[]],
      ]);
    }));

  test("is derived from many records in slices", () =>
    withAlbums(async (db) => {
      const changes = Array.from({ length: 120 }, (_, id) => ({ id, before: null, after: {} }));
      await db.transaction((tx) => tx.changed("album", changes));
      expect(derived.map(([name, some]) => [name, some.length])).toEqual([
        ["total", 50],
        ["names", 50],
        ["total", 50],
        ["names", 50],
        ["total", 20],
        ["names", 20],
      ]);
    }));

  const forgotten: [string, (tx: Queries) => Promise<unknown>][] = [
    ["creates a record", (tx) => tx.get(insertAlbum)],
    ["creates one later", async (tx) => tx.later(insertAlbum)],
    ["tells of one of two records", (tx) => tx.get(insertAlbum).then(() => createTold(tx))],
    ["assigns such a column", (tx) => tx.run(sql`UPDATE albums SET description = 'x', is_private = 1`)],
  ];

  test.each(forgotten)("cannot be forgotten: a transaction that %s without saying so fails", (_what, work) =>
    withAlbums(async (db) => {
      await db.transaction((tx) => tx.run(insertAlbum), { isCopy: true });
      expect(await failureOf(db, work)).toMatch(
        /has changed [12] records of the kind album, and has called tx\.changed for [01]\.$/,
      );
      expect(await db.all(sql`SELECT description, is_private FROM albums`)).toEqual([
        { description: "", is_private: 0 },
      ]);
    }),
  );

  test("need not be told of other columns, or of rows that are copied", () =>
    withAlbums(async (db) => {
      await db.transaction((tx) => tx.get(insertAlbum), { isCopy: true });
      await db.transaction((tx) => tx.run(sql`UPDATE albums SET description = 'x' WHERE is_private = 0`));
      expect(await db.all(sql`SELECT description FROM albums`)).toEqual([{ description: "x" }]);
      expect(derived).toEqual([]);
    }));

  test("passes through the wrapper of a transaction", () =>
    withAlbums(async (db) => {
      const seen: unknown[] = [];
      const total = schema.derived[0];
      if (!total) throw new Error("There is no total.");
      const { derive } = total;
      total.derive = (tx) => void seen.push(tx);
      await db.transaction(async (tx) => {
        const wrapped = { ...tx };
        await wrapped.changed("album", [{ id: 1, before: null, after: {} }]);
        expect(seen).toEqual([wrapped]);
      });
      total.derive = derive;
    }));
});

test("a database that was opened without a schema cannot derive anything", async () => {
  const db = await openSqlite(join(scratch, "none.db"));
  expect(await failureOf(db, (tx) => tx.changed("album", []))).toContain("without a schema");
  await db.close();
});
