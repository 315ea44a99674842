// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { kindsOf, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { platformTables } from "../../src/platform/database/platform-tables.ts";
import { listForeignKeys, type Table } from "../../src/platform/database/tables.ts";
import { peekDatabase } from "../../src/engines.ts";
import { catchUp } from "../../src/features/search/index-records.ts";
import { change, type Environment, examine, makeSite, read, type Row } from "../kit/doctor-kit.ts";
import { engineEnv, isScaled } from "../kit/engine.ts";
import { openBeside } from "../kit/every-kind.ts";
import { type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { isLong } from "../kit/long.ts";
import { runVitrine } from "../kit/process.ts";

const scratch = useScratch();
const api = "/api/v1";
const tables: Table[] = [...schemaOf(modules).tables, ...platformTables];

const quote = (value: Row[string]) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value));
const nowhere = 987_654_321;

/** Columns that follow from other rows. */
const counts: Record<string, string[]> = {
  list_counts: ["live"],
  stored_bytes: ["bytes"],
  photo_months: ["photos"],
  photo_areas: ["photos"],
  album_counts: ["photos"],
  album_blocks: ["photos"],
  album_photos: ["seen_by"],
  comment_counts: ["comments"],
  heart_counts: ["hearts"],
  post_bytes: ["bytes"],
  photo_lists: ["seen_by"],
  post_tags: ["is_private"],
};

/** Wrong values for each column of a table, by what the table declares and the database says. */
async function listDamages(env: Environment, table: Table): Promise<[column: string, value: string | number][]> {
  const keys = await peekDatabase(readConfig(env), (db) =>
    listForeignKeys({ engine: isScaled ? "postgres" : "sqlite", ...db }),
  );
  const [row = {}] = await read(env, `SELECT * FROM ${table.name} ORDER BY ${table.key.join(", ")} LIMIT 1`);
  const columns = Object.keys(row);
  return [
    ...keys.filter((key) => key.table === table.name).map(({ column }) => [column, nowhere] as const),
    ...(table.references ?? []).map(({ column }) => [column, nowhere] as const),
    ...(table.recordReferences ?? []).map(({ id }) => [id, nowhere] as const),
    ...columns.filter((column) => column.endsWith("_at")).map((column) => [column, 9e15] as const),
    ...columns.filter((column) => column.startsWith("is_")).map((column) => [column, 7] as const),
    ...(table.json ?? []).map((column) => [column, "{"] as const),
    ...[...(table.blobs ?? []).map(({ column }) => column), ...(table.otherHashes ?? [])]
      .filter((column) => row[column] !== null)
      .map((column) => [column, "damaged"] as const),
    ...(counts[table.name] ?? []).map((column) => [column, Number(row[column]) + 1] as const),
    ...(table.name === "public_name_keys" ? [["secret", "short"] as const] : []),
  ].map(([column, value]) => [column, value]);
}

/** What a constraint of the table forbids, no row can have: returns false. */
function isRefusedByCheck(error: { errno?: string }): false {
  // Of text that is not JSON, PostgreSQL says so.
  if (error.errno === "23514" || error.errno === "22P02") return false;
  throw error;
}

describe("doctor", () => {
  let env: Environment;
  beforeAll(async () => {
    env = await makeSite(join(scratch, "data"));
    for (const table of tables) await fill(env, table);
    // The counts do not know of rows that were added behind their backs.
    await examine(env, { fix: "" });
  });

  test("finds nothing wrong with a site that has rows in every table", async () => {
    const { findings, code, site } = await examine(env, { hash: "" });
    expect([findings, code]).toEqual([[], 0]);
    expect(site).toMatchObject({ database: isScaled ? "postgres" : "sqlite", version: expect.any(String) });
  });

  // A finding takes a second there, and comes from the same statements.
  test.skipIf(isScaled && !isLong).each(tables.map((table) => [table.name, table] as const))(
    "finds each damage to a row of %s",
    async (name, table) => {
      const damages = await listDamages(env, table);
      expect(damages.length).toBeGreaterThan(0);
      for (const [column, value] of damages) {
        const [row = {}] = await read(env, `SELECT * FROM ${name} ORDER BY ${table.key.join(", ")} LIMIT 1`);
        const isRow = (one: Row) => table.key.map((key) => `${key} = ${quote(one[key] ?? null)}`).join(" AND ");
        const isPossible = await change(env, `UPDATE ${name} SET ${column} = ${quote(value)} WHERE ${isRow(row)}`).then(
          () => true,
          isRefusedByCheck,
        );
        if (!isPossible) continue;
        const { findings, code } = await examine(env);
        const changed = { ...row, [column]: value };
        await change(env, `UPDATE ${name} SET ${column} = ${quote(row[column] ?? null)} WHERE ${isRow(changed)}`);
        expect([name, column, code]).toEqual([name, column, 1]);
        if (!counts[name]?.includes(column)) expect(findings.map(({ where }) => where)).toContain(name);
      }
    },
  );

  test("finds directories that are below themselves", async () => {
    const [row] = await read(env, "SELECT id, parent_id FROM files WHERE sha256 IS NULL ORDER BY id LIMIT 1");
    await change(env, `UPDATE files SET parent_id = id WHERE id = ${row?.id}`);
    const { findings } = await examine(env);
    await change(env, `UPDATE files SET parent_id = ${row?.parent_id} WHERE id = ${row?.id}`);
    expect(findings.map(({ what }) => what)).toContainEqual(expect.stringContaining("cannot be reached from the top"));
  });

  test("--fix derives counts, lists and the index again, says so, and leaves records alone", async () => {
    const before = await read(env, "SELECT * FROM posts ORDER BY id");
    await change(env, "UPDATE list_counts SET live = live + 3 WHERE list = 'posts' AND size = 0");
    await change(env, "UPDATE photo_lists SET seen_by = 99");
    await change(env, "DELETE FROM documents WHERE kind = 'album'");
    await change(
      env,
      "INSERT INTO documents (kind, record_id, title_words, text_words) VALUES ('post', 999, ' x ', ' y ')",
    );
    const found = await examine(env);
    expect([found.code, found.findings.every(({ canFix }) => canFix), found.fixed]).toEqual([1, true, []]);
    const fixed = await examine(env, { fix: "" });
    expect([fixed.findings, fixed.code]).toEqual([[], 0]);
    expect(fixed.fixed.join("\n")).toMatch(/Corrected \d+ counts? of posts\.[^]*Indexed \d+ records? for search again/);
    expect(await read(env, "SELECT * FROM posts ORDER BY id")).toEqual(before);
  });

  test("exits with 3 if there are only warnings, and with 0 by its old name", async () => {
    const open = { ...env, BASE_URL: "http://photos.example.com" };
    const { code, findings } = await examine(open);
    expect([code, findings.map(({ severity, where }) => [severity, where])]).toEqual([3, [["warning", "BASE_URL"]]]);
  });
});

/** A row with plausible values, if the table has none. */
async function fill(env: Environment, { name, json = [], blobs = [], otherHashes = [] }: Table): Promise<void> {
  if ((await read(env, `SELECT 1 AS one FROM ${name} LIMIT 1`)).length > 0) return;
  const keys = await peekDatabase(readConfig(env), (db) =>
    listForeignKeys({ engine: isScaled ? "postgres" : "sqlite", ...db }),
  );
  const columns = await read(
    env,
    isScaled
      ? `SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = '${name}'`
      : `SELECT name, type FROM pragma_table_info('${name}')`,
  );
  const [blob] = await read(env, "SELECT sha256, size FROM files WHERE sha256 IS NOT NULL ORDER BY id LIMIT 1");
  const [user] = await read(env, "SELECT min(id) AS id FROM users");
  const values = await Promise.all(
    columns.map(async ({ name: column, type }) => {
      const text = String(column);
      const key = keys.find((one) => one.table === name && one.column === text);
      if (key) {
        const [first = "id"] = tables.find((one) => one.name === key.refersTo)?.key ?? [];
        return (await read(env, `SELECT min(${first}) AS id FROM ${key.refersTo}`))[0]?.id ?? null;
      }
      if (text === "owner_id") return user?.id ?? null;
      if (text.endsWith("_at")) return Date.now();
      if (text.startsWith("is_")) return 0;
      if (json.includes(text)) return "[]";
      if ([...blobs.map(({ column: one }) => one), ...otherHashes].includes(text)) return blob?.sha256 ?? null;
      if (blobs.some(({ size }) => size === text)) return blob?.size ?? null;
      return /int/i.test(String(type)) ? 1 : "x";
    }),
  );
  await change(
    env,
    `INSERT INTO ${name} (${columns.map((one) => `"${one.name}"`).join(", ")}) VALUES (${values.map(quote).join(", ")})`,
  );
}

const environmentOf = async ({ dataDir }: TestServer) => ({ ...(await engineEnv(dataDir)), DATA_DIR: dataDir });

describe("records that were in the trash when search was rebuilt", () => {
  let server: TestServer;
  let ada: Client;
  beforeAll(async () => {
    server = await startServer();
    ada = await person(server, "ada");
  });
  afterAll(() => server.close());

  test("are found as soon as they are restored", async () => {
    const { body: post } = await ada.post(`${api}/blog`, { title: "Lighthouse", content: "By the sea." });
    const { body: file } = await ada.upload("anchor.txt", "x", { path: "/boats" });
    const { body: top } = await ada.get(`${api}/files`);
    const boats = top.find(({ name }: { name: string }) => name === "boats");
    await ada.delete(`${api}/blog/${post.id}`);
    await ada.delete(`${api}/files/${boats.id}`);
    const db = await openBeside(server);
    try {
      expect((await runVitrine(["rebuild", "search"], await environmentOf(server))).code).toBe(0);
      await catchUp(db, kindsOf(modules), 30_000);
      for (const { id } of (await ada.get(`${api}/trash`)).body)
        expect((await ada.post(`${api}/trash/${id}/restore`)).status).toBe(200);
      await catchUp(db, kindsOf(modules), 30_000);
      const find = async (word: string) =>
        (await ada.get(`${api}/search?q=${word}`)).body.map((one: any) => [one.kind, one.record?.id ?? one.id]);
      expect(await find("lighthouse")).toEqual([["post", post.id]]);
      expect(await find("anchor")).toEqual([["file", file.id]]);
    } finally {
      await db.close();
    }
  });

  test("a running server is looked at without stopping it, and --fix is refused on SQLite", async () => {
    const env = await environmentOf(server);
    await ada.post(`${api}/blog`, { title: "Harbour", content: "x" });
    expect(await examine(env, { hash: "" })).toMatchObject({ code: 0, findings: [] });
    if (isScaled) return;
    const { code, stderr } = await runVitrine(["doctor", "--fix"], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is in use by another server")]);
    expect((await client(server).get(`${api}/blog`)).status).toBe(200);
  });
});
