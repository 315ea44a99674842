import { readdirSync, readFileSync } from "node:fs";
import { describeUnreleased, firstFormat } from "../data-directory.ts";
import { hashOfText } from "../hash.ts";
import { programRoot } from "../program-root.ts";
import { version } from "../version.ts";
import { DatabaseError, type Statements, type Reader } from "./database.ts";
import { deriveSchema } from "./derived-schema.ts";
import { listPrograms } from "./programs.ts";
import { dropSetting, readSetting, storeSetting } from "./settings.ts";
import { raw, sql } from "./sql.ts";
import type { Schema } from "./tables.ts";

export type Engine = "sqlite" | "postgres";
/** `summary` is the first line of its file, a comment. `marks` are the names that then count as applied. */
export type Migration = {
  name: string;
  summary: string;
  isOfProgram: boolean;
  statements: string[];
  marks: string[];
};
/** What happens around the migrations of a database that has some already. */
export type Upgrade = {
  /** Called before the first one, in the transaction, with the version that migrated the database before. */
  begin?(version: string | null): Promise<void>;
  /** Called before each. */
  next?(migration: Migration): void;
};
/** A migration that has to be read. */
type Source = { name: string; folder: URL };

const schemaFolder = new URL("src/platform/database/", programRoot);
const programFolder = new URL("migrations/", schemaFolder);
/** What a new database gets: all tables of this version. Its migrations then count as applied. */
const newDatabase = "schema.sql";
const migratedBy = "migrated-by";

/** The format of data directories that this program reads and writes. */
export const newestFormat = firstFormat + migrationsFor("sqlite").length;

/**
 * Before 1.0, schema.sql is edited in place: a database belongs to the versions with the same statements, and has their hash as
 * this setting. From 1.0 on, migrations change a database, and no hash is stored or compared.
 */
const isReleased = Number(version.split(".")[0]) >= 1;
const schemaHash = "schema-hash";

/**
 * Creates the tables of a new database, or applies the migrations that it does not have yet; on PostgreSQL, which others use
 * meanwhile, only the first of them. Returns whether all were applied. The caller holds a transaction, and keeps out others who
 * would migrate.
 */
export async function migrate(
  tx: Statements,
  engine: Engine,
  schema: Schema | null,
  upgrade: Upgrade = {},
): Promise<boolean> {
  await tx.run(sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)`);
  const folders = schema?.migrations ?? [];
  const pending = await planMigrations(tx, engine, folders);
  const isUpgrade = pending.length > 0 && (await hasMigrations(tx, engine));
  if (isUpgrade) await upgrade.begin?.(await readMigratedBy(tx));
  const next = isUpgrade && engine === "postgres" ? pending.slice(0, 1) : pending;
  for (const migration of next) {
    if (isUpgrade) upgrade.next?.(migration);
    for (const statement of migration.statements) await tx.run(raw(statement));
    for (const name of migration.marks)
      await tx.run(sql`INSERT INTO migrations (name, applied_at) VALUES (${name}, ${Date.now()})`);
  }
  if (pending.length > 0) await storeSetting(tx, migratedBy, version);
  const isNew = pending.length > 0 && !isUpgrade;
  if (isReleased) await dropSetting(tx, schemaHash);
  else if (isNew) await storeSetting(tx, schemaHash, hashOfSchema(engine));
  if (next.length < pending.length) return false;
  // A newer version has derived what it needs.
  if (schema && !(await hasUnknownMigrations(tx, engine, folders))) await deriveSchema(tx, engine, schema);
  return true;
}

/**
 * The migrations that this database does not have yet. Throws if this program is too old for the database, or too new
 * for the servers that use it now, or if no release has written the database. Without a database, it is planned as a new one.
 */
export async function planMigrations(db: Reader | null, engine: Engine, moreFolders: URL[] = []): Promise<Migration[]> {
  const applied = db ? await listApplied(db, engine) : new Set<string>();
  if (!db || applied.size === 0)
    return [readSchema(engine), ...migrationsFor(engine, moreFolders).map((source) => readMigration(source, engine))];
  await refuseUnreleased(db, engine);
  const known = migrationsFor(engine, [programFolder, ...moreFolders]);
  if (!applied.isSubsetOf(namesOf(known))) await refuseNewerDatabase(db, engine);
  const pending = known.filter(({ name }) => !applied.has(name));
  if (engine === "postgres" && pending.length > 0) await refuseOlderServers(db);
  return pending.map((source) => readMigration(source, engine));
}

/** Throws if a development version before 1.0 has written the database, with other tables. */
export async function refuseUnreleased(db: Reader, engine: Engine): Promise<void> {
  const applied = await listApplied(db, engine);
  if (applied.size === 0) return;
  if (!applied.has(newDatabase)) throw new DatabaseError(describeUnreleased());
  const hash = await readSetting(db, schemaHash);
  if (hash === null || hash === hashOfSchema(engine)) return;
  throw new DatabaseError(describeUnreleased("the version that wrote it"));
}

export async function hasMigrations(db: Reader, engine: Engine): Promise<boolean> {
  return (await listApplied(db, engine)).size > 0;
}

/** The version that migrated the database last; null if that is not known. */
export const readMigratedBy = (db: Reader): Promise<string | null> => readSetting(db, migratedBy);

/** Whether a newer program has migrated the database: there may be tables and columns that this program does not know. */
export async function hasUnknownMigrations(db: Reader, engine: Engine, moreFolders: URL[] = []): Promise<boolean> {
  const known = migrationsFor(engine, [programFolder, ...moreFolders]);
  return !(await listApplied(db, engine)).isSubsetOf(namesOf(known));
}

/**
 * Migrations keep everything that the previous minor version uses: its servers keep running beside newer ones, and can
 * be restarted.
 */
async function refuseNewerDatabase(db: Reader, engine: Engine): Promise<void> {
  const other = await readMigratedBy(db);
  if (engine === "postgres" && other !== null && minorVersionsBetween(version, other) === 1) return;
  throw new DatabaseError(
    `The database was written by a newer version (${other ?? "unknown"}, this one is ${version}): upgrade this program.`,
  );
}

async function refuseOlderServers(db: Reader): Promise<void> {
  const tooOld = (await listPrograms(db)).find((other) => (minorVersionsBetween(other.version, version) ?? 2) > 1);
  if (!tooOld) return;
  throw new DatabaseError(
    `A server of version ${tooOld.version} on ${tooOld.host} uses the database, which version ${version} would migrate: ` +
      "stop it first (one that was killed counts for 30 seconds), or upgrade one minor version at a time.",
  );
}

/** How many minor versions the newer one is ahead; null if the major versions differ. */
function minorVersionsBetween(older: string, newer: string): number | null {
  const [from, to] = [older.split(".").map(Number), newer.split(".").map(Number)];
  return from[0] === to[0] ? Number(to[1]) - Number(from[1]) : null;
}

export async function listApplied(db: Reader, engine: Engine): Promise<Set<string>> {
  const exists =
    engine === "sqlite"
      ? sql`SELECT 1 AS one FROM sqlite_schema WHERE name = 'migrations'`
      : sql`SELECT 1 AS one WHERE to_regclass('migrations') IS NOT NULL`;
  if (!(await db.get(exists))) return new Set();
  return new Set((await db.all<{ name: string }>(sql`SELECT name FROM migrations`)).map(({ name }) => name));
}

/** `0007_search.sqlite.sql` runs on SQLite only; a name without an engine runs on both. */
function migrationsFor(engine: Engine, folders = [programFolder]): Source[] {
  const isFor = (name: string) =>
    name.endsWith(".sql") && (name.split(".").length === 2 || name.endsWith(`.${engine}.sql`));
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter(isFor)
      .toSorted()
      .map((name) => ({ name, folder })),
  );
}

const namesOf = (sources: Source[]) => new Set([newDatabase, ...sources.map(({ name }) => name)]);

const readMigration = ({ name, folder }: Source, engine: Engine): Migration => {
  const text = readFileSync(new URL(name, folder), "utf8");
  return {
    name,
    summary: /^-- (.*)$/m.exec(text)?.[1] ?? "",
    isOfProgram: folder === programFolder,
    statements: statementsOf(text, engine),
    marks: [name],
  };
};

/** All tables of this version, as the first migration of a new database. */
const readSchema = (engine: Engine): Migration => {
  const texts = ["schema.sql", `schema.${engine}.sql`].map((name) => readFileSync(new URL(name, schemaFolder), "utf8"));
  const statements = texts.flatMap((text) => statementsOf(text, engine));
  const marks = [newDatabase, ...migrationsFor(engine).map(({ name }) => name)];
  return { name: newDatabase, summary: "all tables of a new site", isOfProgram: true, statements, marks };
};

const schemaHashes = new Map<Engine, string>();

/** A start asks for it twice. */
function hashOfSchema(engine: Engine): string {
  const known = schemaHashes.get(engine);
  if (known !== undefined) return known;
  const hash = hashOfText(readSchema(engine).statements.join(";").replace(/\s+/g, " "));
  schemaHashes.set(engine, hash);
  return hash;
}

/** Where the engines differ. AUTOINCREMENT: ids are never reused. "C": text is sorted by its bytes. */
const dialects: Record<Engine, [RegExp, string][]> = {
  sqlite: [[/\bid ID\b/, "id INTEGER PRIMARY KEY AUTOINCREMENT"]],
  postgres: [
    [/\bid ID\b/, "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"],
    [/\bINTEGER PRIMARY KEY\b/, "BIGINT PRIMARY KEY"],
    [/\) WITHOUT ROWID$/, ")"],
    [/\bTEXT\b/g, 'TEXT COLLATE "C"'],
  ],
};

/**
 * A statement ends with a semicolon at the end of a line. Those inside a trigger or a function do not count: the next line is
 * indented, or begins with END.
 */
function statementsOf(text: string, engine: Engine): string[] {
  const code = text.replace(/^[ \t]*--.*(\n|$)/gm, "");
  const statements = code.split(/;[ \t]*(?:\n(?![ \t]|END\b)|$)/).map((statement) => statement.trim());
  return statements
    .filter(Boolean)
    .map((statement) =>
      dialects[engine].reduce((result, [from, to]) => result.replace(from, to), checkTypes(statement, engine)),
    );
}

/** What fits into a date of JavaScript: another value cannot be shown. */
const latestTime = 8_640_000_000_000_000;

/** The types that we add to those of the engines: what a column of this name is stored as, and which values it may have. */
const types: Record<string, (column: string, engine: Engine) => string> = {
  TIME: (column) => `BIGINT CHECK (${column} BETWEEN -${latestTime} AND ${latestTime})`,
  FLAG: (column) => `BIGINT CHECK (${column} IN (0, 1))`,
  SIZE: (column) => `BIGINT CHECK (${column} >= 0)`,
  HASH: (column, engine) =>
    `TEXT CHECK (${engine === "sqlite" ? `length(${column}) = 64 AND ${column} NOT GLOB '*[^0-9a-f]*'` : `${column} ~ '^[0-9a-f]{64}$'`})`,
  JSON: (column, engine) =>
    `TEXT CHECK (${engine === "sqlite" ? `json_valid(${column})` : `${column} IS NULL OR ${column}::json IS NOT NULL`})`,
};
const typed = new RegExp(`\\b(\\w+) (${Object.keys(types).join("|")})\\b`, "g");

const checkTypes = (statement: string, engine: Engine): string =>
  /^(CREATE|ALTER) TABLE/.test(statement)
    ? statement.replace(typed, (_, column: string, type: string) => `${column} ${types[type]?.(column, engine)}`)
    : statement;
