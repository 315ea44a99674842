// Runs on other engines only with TEST_LONG: the statements also run in the tests of files and posts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { doctorCommand } from "../../src/commands/doctor.ts";
import { readConfig } from "../../src/config.ts";
import { openEngines } from "../../src/engines.ts";
import { migrateEngine } from "../../src/commands/migrate-engine.ts";
import { type Module, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { table } from "../../src/platform/database/table.ts";
import { readUsage } from "../../src/core/storage/quota.ts";
import { storedBytes } from "../../src/core/storage/stored-bytes.ts";
import { describeReferences } from "../../src/core/storage/used-blobs.ts";
import { engineEnv, isScaled } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { serverConfig, startServer, type TestServer } from "../kit/server.ts";
import { notesModule } from "../notes/module.ts";
import { testLong } from "../kit/long.ts";
import { sha256Of } from "../kit/sha256.ts";

const withNotes = [...modules, notesModule];
const scratch = useScratch();
const api = "/api/v1";
const quota = 1000;

const write = async (who: Client, text = "Note") => (await who.post(`${api}/notes`, { text })).body;
const attach = (who: Client, { id }: { id: number }, body: string) =>
  who.request("PUT", `${api}/notes/${id}/attachment`, { body });
const pathOf = ({ id }: { id: number }) => `${api}/notes/${id}/attachment`;

/** The database while the server is running. */
async function withDatabase<Result>(
  server: TestServer,
  work: (db: Database) => Promise<Result>,
  declared: readonly Module[] = withNotes,
): Promise<Result> {
  const { database, dataDir } = await serverConfig(server);
  const options = { schema: schemaOf(declared) };
  const db =
    database.engine === "sqlite"
      ? await openSqlite(join(dataDir, "vitrine.db"), options)
      : await openPostgres(database.url, options);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

describe("the attachments of a module that is added to the list", () => {
  let server: TestServer;
  let guest: Client;
  let number = 0;

  beforeAll(async () => {
    server = await startServer({ DATA_DIR: newDirectory(scratch), QUOTA_BYTES: String(quota) }, withNotes);
    guest = client(server);
  });
  afterAll(() => server.close());

  const createOwner = () => person(server, `owner${number++}`);
  /** What the quota counts, stored and reserved. */
  const used = async (who: Client): Promise<number> => (await who.get(`${api}/attention`)).body.storage.bytes;
  /** Whether these bytes are on the disk. With S3 and PostgreSQL the daily sweep removes what nothing refers to. */
  const areKept = async (text: string) =>
    isScaled
      ? (await withDatabase(server, (db) => describeReferences(db, sha256Of(text)))).length > 0
      : readdirSync(join(server.dataDir, "blobs")).some((shelf) =>
          readdirSync(join(server.dataDir, "blobs", shelf)).includes(sha256Of(text)),
        );

  test("are uploaded, read, replaced and removed, and nothing is left of them", async () => {
    const owner = await createOwner();
    const note = await write(owner);
    expect(note.attachment).toBeNull();
    const { status, body } = await attach(owner, note, "first bytes");
    expect([status, body.attachment]).toEqual([200, { size: 11, url: pathOf(note) }]);
    expect((await guest.get(body.attachment.url)).body).toBe("first bytes");
    expect([await used(owner), await areKept("first bytes")]).toEqual([11, true]);

    expect((await attach(owner, note, "second")).body.attachment.size).toBe(6);
    expect([await used(owner), await areKept("first bytes"), await areKept("second")]).toEqual([6, false, true]);
    expect((await guest.get(pathOf(note))).body).toBe("second");

    expect((await owner.delete(pathOf(note))).body.attachment).toBeNull();
    expect([await used(owner), await areKept("second")]).toEqual([0, false]);
    expect([(await guest.get(pathOf(note))).status, (await owner.delete(pathOf(note))).status]).toEqual([404, 404]);
  });

  test("stay in the trash, come back with their note, and go with it", async () => {
    const owner = await createOwner();
    const note = await write(owner);
    await attach(owner, note, "in the trash");
    const throwAway = async () => {
      await owner.delete(`${api}/notes/${note.id}`);
      return (await owner.get(`${api}/trash`)).body[0];
    };
    const entry = await throwAway();
    expect((await guest.get(pathOf(note))).status).toBe(404);
    expect([await used(owner), await areKept("in the trash")]).toEqual([12, true]);
    expect((await owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    expect((await guest.get(pathOf(note))).body).toBe("in the trash");
    await owner.delete(`${api}/trash/${(await throwAway()).id}`);
    expect([await used(owner), await areKept("in the trash")]).toEqual([0, false]);
  });

  test("are kept while something else has the same bytes", async () => {
    const [owner, other] = [await createOwner(), await createOwner()];
    const [note, same] = [await write(owner), await write(other)];
    for (const [who, one] of [
      [owner, note],
      [other, same],
    ] as const)
      await attach(who, one, "of two");
    await owner.delete(pathOf(note));
    expect([await used(owner), await used(other), (await guest.get(pathOf(same))).body]).toEqual([0, 6, "of two"]);
    const { body: file } = await owner.upload("same.txt", "of two");
    await other.delete(pathOf(same));
    expect((await owner.get(file.url)).body).toBe("of two");
  });

  test("are refused beyond the quota, and what is replaced makes space only when it is gone", async () => {
    const owner = await createOwner();
    const [note, second] = [await write(owner), await write(owner)];
    expect((await attach(owner, note, "a".repeat(quota - 100))).status).toBe(200);
    const refused = await attach(owner, second, "b".repeat(101));
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("over the limit of 1000")]);
    expect((await owner.upload("c.txt", "c".repeat(101))).status).toBe(400);
    expect((await attach(owner, second, "b".repeat(100))).status).toBe(200);
    expect(await areKept("b".repeat(101))).toBe(false);
    await owner.delete(pathOf(note));
    expect((await owner.upload("c.txt", "c".repeat(quota - 100))).status).toBe(201);
    expect(await used(owner)).toBe(quota);
  });

  test("are in the storage report and in the API document, and no count is wrong", async () => {
    const owner = await createOwner();
    const [note, copy] = [await write(owner), await write(owner)];
    for (const one of [note, copy]) await attach(owner, one, "reported");
    await owner.upload("same.txt", "reported");
    const [held] = (await owner.get(`${api}/storage`)).body.owners;
    expect(held).toMatchObject({
      noteAttachments: { count: 2, bytes: 16 },
      files: { count: 1, bytes: 8 },
      posters: { count: 0, bytes: 0 },
      bytes: 24,
      savedByDeduplication: 16,
      notes: 2,
    });
    const chief = await createOwner();
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE users SET role = 'admin' WHERE id = ${chief.userID}`)),
    );
    const { site } = (await chief.get(`${api}/storage`)).body;
    expect(site.noteAttachments.bytes).toBeGreaterThanOrEqual(16);
    expect((await chief.get(`${api}/attention`)).body.storage.bytes).toBe(site.bytes);
    const { properties } = (await guest.get("/openapi.json")).body.components.schemas.OwnerStorage;
    expect(properties.noteAttachments.description).toBe("Files that are attached to notes.");
    expect(properties.bytes.description).toMatch(/noteAttachments.* together\.$/);
    expect(await withDatabase(server, storedBytes.rebuild)).toBe(0);
  });
});

describe("a site with attachments", () => {
  const ownNumbers = async (server: TestServer) => {
    const [{ ownerID, ...held }] = (await client(server, token).get(`${api}/storage`)).body.owners;
    return held;
  };
  let token: string | null;
  const fill = async (server: TestServer) => {
    const owner = await person(server, "owner");
    token = owner.token;
    const note = await write(owner);
    await attach(owner, note, `kept ${crypto.randomUUID()}`);
    return note;
  };

  testLong("is checked, and goes to other engines and back", async () => {
    const dataDir = newDirectory(scratch);
    const server = await startServer({ DATA_DIR: dataDir }, withNotes);
    const note = await fill(server);
    const before = await ownNumbers(server);
    const { body: bytes } = await client(server).get(pathOf(note));
    expect(before).toMatchObject({ noteAttachments: { count: 1, bytes: bytes.length }, bytes: bytes.length });
    await server.close();

    const configOf = async (directory: string, isEmbedded = false) =>
      readConfig({ ...(isEmbedded ? {} : await engineEnv(directory)), DATA_DIR: directory });
    const [there, back] = [newDirectory(scratch), newDirectory(scratch)];
    await migrateEngine(await configOf(dataDir), await configOf(there, true), schemaOf(withNotes), { say: () => {} });
    await migrateEngine(await configOf(there, true), await configOf(back), schemaOf(withNotes), { say: () => {} });
    await using moved = await startServer({ DATA_DIR: back }, withNotes);
    expect((await client(moved).get(pathOf(note))).body).toBe(bytes);
    const stored = (await withDatabase(moved, (db) => readUsage(db, note.ownerID)))?.stored;
    expect(stored).toBe(bytes.length);

    const lines: string[] = [];
    const check = async () => {
      const log = console.log;
      console.log = (line: string) => void lines.push(line);
      const config = await configOf(there, true);
      try {
        return await doctorCommand(withNotes).run({
          config,
          schema: schemaOf(withNotes),
          options: { hash: "" },
        } as never);
      } finally {
        console.log = log;
      }
    };
    expect([await check(), lines.splice(0)]).toEqual([
      0,
      ["The database is consistent.", "All 1 files are present and intact."],
    ]);
    rmSync(join(there, "blobs"), { recursive: true });
    expect([await check(), lines.join()]).toEqual([
      1,
      expect.stringContaining(`missing: ${sha256Of(bytes)} (note ${note.id})`),
    ]);
  });

  /** Without the declaration of its blobs. */
  const withUndeclared = [...modules, { ...notesModule, tables: [table("notes", {})] }];

  test("whose column is declared later counts what is there, also if several copies start at once", async () => {
    const dataDir = newDirectory(scratch);
    const first = await startServer({ DATA_DIR: dataDir }, withUndeclared);
    const note = await fill(first);
    const size = (await client(first).get(`${api}/notes/${note.id}`)).body.attachment.size as number;
    const stored = (server: TestServer, declared = withNotes) =>
      withDatabase({ ...server, dataDir }, async (db) => (await readUsage(db, note.ownerID))?.stored, declared);
    expect(await stored(first, withUndeclared)).toBe(0);
    if (!isScaled) await first.close();

    // With PostgreSQL, copies of the version before may still run.
    const engines = await engineEnv(dataDir);
    const directories = isScaled ? [newDirectory(scratch), newDirectory(scratch), newDirectory(scratch)] : [dataDir];
    const servers = await Promise.all(
      directories.map((directory) => startServer({ ...engines, DATA_DIR: directory }, withNotes)),
    );
    for (const server of servers) {
      expect(await stored(server)).toBe(size);
      expect(await withDatabase({ ...server, dataDir }, storedBytes.rebuild)).toBe(0);
    }
    await attach(client(servers[0] as TestServer, token), note, "other");
    expect(await stored(servers[0] as TestServer)).toBe(5);
    await Promise.all([...servers, ...(isScaled ? [first] : [])].map((server) => server.close()));
  });

  test("creates its triggers once", async () => {
    const dataDir = newDirectory(scratch);
    const config = readConfig({ ...(await engineEnv(dataDir)), DATA_DIR: dataDir });
    const listTriggers = async () => {
      await using engines = await openClosing(config);
      const names = await engines.db.all<{ name: string }>(
        engines.db.engine === "sqlite"
          ? sql`SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`
          : sql`SELECT tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname, tgrelid`,
      );
      return names.map(({ name }) => name);
    };
    const names = await listTriggers();
    expect(names).toEqual(expect.arrayContaining(["notes_size_stored", "notes_size_resized", "notes_size_removed"]));
    expect(new Set(names).size).toBe(names.length);
    expect(await listTriggers()).toEqual(names);
  });

  async function openClosing(config: ReturnType<typeof readConfig>) {
    const engines = await openEngines(config, schemaOf(withNotes));
    return { ...engines, [Symbol.asyncDispose]: engines.close };
  }
});
