import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Config, readConfig } from "../../src/config.ts";
import { openEngines } from "../../src/engines.ts";
import { migrateEngine } from "../../src/commands/migrate-engine.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { platformTables } from "../../src/platform/database/platform-tables.ts";
import { describeReferences, findUsedBlobs } from "../../src/core/storage/used-blobs.ts";
import { engineEnv } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { notesModule } from "../notes/module.ts";
import { testLong } from "../kit/long.ts";

const withNotes = [...modules, notesModule];
const scratch = useScratch();
const api = "/api/v1";

describe("a module that is added to the list", () => {
  let server: TestServer;
  let owner: Client;
  let stranger: Client;
  let guest: Client;

  beforeAll(async () => {
    server = await startServer({ DATA_DIR: newDirectory(scratch) }, withNotes);
    [owner, stranger, guest] = [await person(server, "owner"), await person(server, "stranger"), client(server)];
  });
  afterAll(() => server.close());

  const write = async (text: string) => (await owner.post(`${api}/notes`, { text })).body;

  test("has its routes, each for those who may call it", async () => {
    const note = await write("Buy milk");
    expect(note).toMatchObject({ text: "Buy milk", ownerID: owner.userID });
    expect((await guest.get(`${api}/notes/${note.id}`)).body).toEqual(note);
    expect((await guest.get(`${api}/notes`)).headers.get("x-total-count")).toBe("1");
    expect((await guest.post(`${api}/notes`, { text: "x" })).status).toBe(401);
    expect((await guest.delete(`${api}/notes/${note.id}`)).status).toBe(401);
    expect((await stranger.delete(`${api}/notes/${note.id}`)).status).toBe(403);
    expect((await owner.post(`${api}/notes`, { text: " " })).status).toBe(400);
  });

  test("changes a record only as the client has read it", async () => {
    const note = await write("First");
    const path = `${api}/notes/${note.id}`;
    const tag = (await owner.get(path)).headers.get("etag") as string;
    const headers = { "Content-Type": "application/json", "If-Match": tag };
    const put = (text: string) => owner.request("PUT", path, { body: JSON.stringify({ text }), headers });
    expect((await put("Second")).body).toEqual({ ...note, text: "Second" });
    expect((await put("Third")).body.code).toBe("outdated");
    expect((await stranger.put(path, { text: "Theirs" })).status).toBe(403);
    expect((await guest.get(path)).body.text).toBe("Second");
  });

  test("lists its records by number and by cursor, private ones for their owner", async () => {
    const hidden = (await owner.post(`${api}/notes`, { text: "Hidden", visibility: "private" })).body;
    const idsOf = async (who: Client, query: string) =>
      (await who.get(`${api}/notes?${query}`)).body.map(({ id }: { id: number }) => id);
    expect(await idsOf(owner, "owner=me&pageSize=1")).toEqual([hidden.id]);
    const shown = await idsOf(guest, "pageSize=100");
    expect(shown).not.toContain(hidden.id);
    expect(await idsOf(guest, "cursor=&pageSize=100")).toEqual(shown);
  });

  test("is described in the API document and on its page", async () => {
    const { body: document } = await guest.get("/openapi.json");
    expect(document.tags).toContainEqual({ name: "Notes", description: "Short texts." });
    expect(Object.keys(document.paths[`${api}/notes`])).toEqual(expect.arrayContaining(["get", "post"]));
    expect(document.paths[`${api}/notes/{id}`].delete["x-required-role"]).toBe("author");
    expect(document.components.schemas.TrashEntry.properties.kind.enum).toContain("note");
    expect((await guest.get("/docs")).body).toContain("Write a note");
  });

  test("has its records in the trash, and restores them", async () => {
    const note = await write("Feed the cat");
    expect((await owner.delete(`${api}/notes/${note.id}`)).status).toBe(200);
    expect((await guest.get(`${api}/notes/${note.id}`)).status).toBe(404);
    const [entry] = (await owner.get(`${api}/trash`)).body;
    expect(entry).toMatchObject({ kind: "note", recordID: note.id, name: "Feed the cat" });
    expect((await owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    expect((await guest.get(`${api}/notes/${note.id}`)).body).toEqual(note);
    await owner.delete(`${api}/notes/${note.id}`);
    const [again] = (await owner.get(`${api}/trash`)).body;
    expect((await owner.delete(`${api}/trash/${again.id}`)).status).toBe(200);
    expect((await owner.get(`${api}/trash`)).body).toEqual([]);
  });

  test("has its changes in the activity", async () => {
    const note = await write("Noticed");
    await owner.delete(`${api}/notes/${note.id}`);
    const { body: rows } = await owner.get(`${api}/activity?kind=note&recordID=${note.id}`);
    expect(rows.map(({ action, name }: any) => [action, name])).toEqual([
      ["trashed", "Noticed"],
      ["created", "Noticed"],
    ]);
  });

  test("has its records found", async () => {
    const note = await write("A remarkable periwinkle");
    const { body: results } = await guest.get(`${api}/search?q=periwinkle&kind=note`);
    expect(results).toEqual([
      expect.objectContaining({ kind: "note", record: note, titleHTML: "A remarkable <mark>periwinkle</mark>" }),
    ]);
  });

  test("has its records shared by link", async () => {
    const { body: note } = await owner.post(`${api}/notes`, { text: "A surprise", visibility: "private" });
    const { token } = (await owner.post(`${api}/shares`, { kind: "note", id: note.id })).body;
    expect((await guest.get(`${api}/notes/${note.id}`)).status).toBe(404);
    expect((await guest.get(`${api}/notes/${note.id}`, { "X-Share-Token": token })).body).toEqual(note);
    const opened = await guest.get(`${api}/shared`, { "X-Share-Token": token });
    expect(opened.body).toMatchObject({ kind: "note", recordID: note.id, title: "A surprise" });
  });

  test("is counted in the storage report", async () => {
    const count = async () => (await owner.get(`${api}/storage`)).body.owners[0].notes as number;
    const before = await count();
    await write("One more");
    expect(await count()).toBe(before + 1);
  });

  test("keeps the blobs that its rows refer to", async () => {
    const { body: file } = await owner.upload("kept.txt", "bytes of a note");
    const note = await write("With bytes");
    await owner.request("PUT", `${api}/notes/${note.id}/attachment`, { body: "bytes of a note" });
    const engines = await engineEnv(server.dataDir);
    await server.close();
    const { db, close } = await openEngines(readConfig({ ...engines, DATA_DIR: server.dataDir }), schemaOf(withNotes));
    await db.transaction((tx) => tx.run(sql`DELETE FROM files WHERE id = ${file.id}`));
    expect(await findUsedBlobs(db, [file.sha256])).toEqual(new Set([file.sha256]));
    expect(await describeReferences(db, file.sha256)).toEqual([`note ${note.id}`]);
    await close();
    server = await startServer({ DATA_DIR: server.dataDir }, withNotes);
  });

  testLong("goes to other engines and back", async () => {
    const before = (await client(server).get(`${api}/notes?pageSize=100`)).body;
    expect(before.length).toBeGreaterThan(2);
    await server.close();
    const there = newDirectory(scratch);
    const back = newDirectory(scratch);
    const configOf = async (dataDir: string, isEmbedded: boolean): Promise<Config> =>
      readConfig({ ...(isEmbedded ? {} : await engineEnv(dataDir)), DATA_DIR: dataDir });
    const schema = schemaOf(withNotes);
    const say = () => {};
    await migrateEngine(await configOf(server.dataDir, false), await configOf(there, true), schema, { say });
    await migrateEngine(await configOf(there, true), await configOf(back, false), schema, { say });
    server = await startServer({ DATA_DIR: back }, withNotes);
    expect((await client(server).get(`${api}/notes?pageSize=100`)).body).toEqual(before);
    expect((await client(server).get(`${api}/search?q=periwinkle`)).body).toHaveLength(1);
  });
});

describe("what the modules declare of the database", () => {
  /** Tables of the platform whose rows are of one set of engines, or are created again. */
  const notCopied = [
    "documents_index",
    "documents_waiting",
    "leases",
    "migrations",
    "programs",
    "settings",
    "written_tables",
  ];
  let db: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const dataDir = newDirectory(scratch);
    const config = readConfig({ ...(await engineEnv(dataDir)), DATA_DIR: dataDir });
    ({ db, close } = await openEngines(config, schemaOf(modules)));
  });
  afterAll(() => close());

  const { tables } = schemaOf(modules);

  test("are all its tables, each once", async () => {
    const names = [...tables, ...platformTables].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const isOfEngine = (name: string) => /^(sqlite_|documents_index_)/.test(name);
    const real = (await listColumns(db)).map(({ table }) => table).filter((name) => !isOfEngine(name));
    const isMissingHere = (name: string) => !real.includes(name) && notCopied.includes(name);
    expect(new Set(real)).toEqual(new Set([...names, ...notCopied.filter((name) => !isMissingHere(name))]));
  });

  test("are all columns with the SHA-256 of something", async () => {
    const declared = tables.flatMap(({ name, blobs = [], otherHashes = [] }) =>
      [...blobs.map(({ column }) => column), ...otherHashes].map((column) => `${name}.${column}`),
    );
    const real = (await listColumns(db)).filter(({ column }) => column.includes("sha256"));
    expect(declared.toSorted()).toEqual(real.map(({ table, column }) => `${table}.${column}`).toSorted());
  });

  test("are all columns of a table that is exported, and why nothing is of another one", async () => {
    const real = Map.groupBy(await listColumns(db), ({ table }) => table);
    for (const { name, columns, exported, without, isTemporary } of [...tables, ...platformTables]) {
      const declared = Object.keys(columns);
      const known = (real.get(name) ?? []).map(({ column }) => column);
      expect([name, exported ? declared.toSorted() : []]).toEqual([name, exported ? known.toSorted() : []]);
      expect([name, known]).toEqual([name, expect.arrayContaining(declared)]);
      const reasons = [exported, without, isTemporary].filter((one) => one !== undefined);
      expect([name, reasons.length]).toEqual([name, 1]);
      const described = Object.values(columns).filter(({ about, left }) => left === undefined && about !== "");
      if (exported) expect(described).toEqual(Object.values(columns).filter(({ left }) => left === undefined));
    }
  });

  test("are what the database refuses other values for", async () => {
    const texts = await db.all<{ table: string; text: string }>(
      db.engine === "sqlite"
        ? sql`SELECT name AS "table", sql AS text FROM sqlite_schema WHERE type = 'table'`
        : sql`SELECT conrelid::regclass::text AS "table", string_agg(pg_get_constraintdef(oid), ' ') AS text
            FROM pg_constraint WHERE contype = 'c' GROUP BY 1`,
    );
    const checks = new Map(texts.map(({ table, text }) => [table, text]));
    const isChecked = (table: string, column: string) =>
      new RegExp(`\\bCHECK [^;]*?\\b${column}\\b[") ]*(BETWEEN|IN|>|=|~|::|,|\\))`).test(checks.get(table) ?? "");
    const declared = [...tables, ...platformTables].flatMap(({ name, columns, blobs = [], bytes = [] }) => [
      ...Object.entries(columns).flatMap(([column, { form }]) => (form === "plain" ? [] : [[name, column] as const])),
      ...[...blobs, ...bytes].map(({ size }) => [name, size] as const),
    ]);
    const named = (await listColumns(db)).flatMap(({ table, column }) =>
      /_at$|^is_|sha256$/.test(column) && !notCopied.includes(table) ? [[table, column] as const] : [],
    );
    expect(declared.length).toBeGreaterThan(90);
    expect([...declared, ...named].filter(([table, column]) => !isChecked(table, column))).toEqual([]);
  });

  test("are keys by which the rows of every table can be told apart", async () => {
    const columns = await listColumns(db);
    for (const { name, key } of [...tables, ...platformTables]) {
      const known = columns.filter(({ table }) => table === name).map(({ column }) => column);
      expect(known).toEqual(expect.arrayContaining(key));
    }
  });
});

function listColumns(db: Database): Promise<{ table: string; column: string }[]> {
  return db.all(
    db.engine === "sqlite"
      ? sql`SELECT tables.name AS "table", columns.name AS "column"
          FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`
      : sql`SELECT table_name::text AS "table", column_name::text AS "column"
          FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
          WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  );
}
