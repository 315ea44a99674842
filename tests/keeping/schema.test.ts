// A site of each release, upgraded, has the same schema as a new one. At a release, `WRITE_SCHEMA=1.0` writes the copy.
import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { planMigrations } from "../../src/platform/database/migrate.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const fixtures = join(import.meta.dir, "../fixtures");
const added = pathToFileURL(`${fixtures}/migrations/`);
const isCopy = (name: string) => /^schema-.*\.sqlite\.sql$/.test(name);

const present = await copySchema();
const { WRITE_SCHEMA } = process.env;
if (WRITE_SCHEMA) writeFileSync(join(fixtures, `schema-${WRITE_SCHEMA}.sqlite.sql`), present);

const copies = readdirSync(fixtures).filter(isCopy);
const texts = copies.map((name) => [name, readFileSync(join(fixtures, name), "utf8")] as const);

test.each([["of this version", present] as const, ...texts])(
  "the schema %s, upgraded, is that of a new site",
  async (_, text) => {
    expect(await upgrade(text)).toEqual(await upgrade(null));
    expect(await upgrade(text, [added])).toEqual(await upgrade(null, [added]));
  },
);

test("a change of schema.sql without a migration is noticed", async () => {
  const changed = present.replace("username_skeleton TEXT", "username_skeleton BIGINT");
  expect(await upgrade(changed)).not.toEqual(await upgrade(null));
  const moved = present.replace(/( {2}username TEXT NOT NULL,\n)(.*\n)/, "$2$1");
  expect(await upgrade(moved)).not.toEqual(await upgrade(null));
  expect(await upgrade(present, [added])).not.toEqual(await upgrade(null));
});

/** The statements that create the database of a new site, and the migrations that it has. */
async function copySchema(): Promise<string> {
  const [first] = await planMigrations(null, "sqlite");
  if (!first) throw new Error("A new site needs a schema.");
  const statements = [
    "CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)",
    ...first.statements,
    ...first.marks.map((name) => `INSERT INTO migrations (name, applied_at) VALUES ('${name}', 0)`),
  ];
  return statements.map((statement) => `${statement};\n`).join("\n");
}

/** The schema of a database after this version has opened it: a new one, or one with this schema. */
async function upgrade(text: string | null, migrations: URL[] = []): Promise<Map<string, unknown>> {
  const path = join(newDirectory(scratch), "vitrine.db");
  if (text !== null) {
    using database = new Sqlite(path, { create: true });
    database.run(text);
  }
  const db = await openSqlite(path, { schema: { ...schemaOf(modules), migrations } });
  await db.close();
  using database = new Sqlite(path);
  return readSchema(database);
}

type Described = { type: string; name: string; sql: string | null };

/** The columns of a table have an order: `vitrine rescue` reads its rows by it. */
function readSchema(database: Sqlite): Map<string, unknown> {
  const objects = database.query<Described, []>("SELECT type, name, sql FROM sqlite_schema").all();
  const columnsOf = database.query("SELECT * FROM pragma_table_xinfo(?)");
  const keysOf = database.query("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq");
  return new Map(
    objects
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ type, name, sql }) => [
        `${type} ${name}`,
        type === "table" ? [columnsOf.all(name), keysOf.all(name)] : sql?.replace(/\s+/g, " "),
      ]),
  );
}
