import { type Command, dataOption } from "./command.ts";
import { type Config, readConfig } from "../config.ts";
import { type Engines, openEngines, refuseMissingSite } from "../engines.ts";
import { chunksOf } from "../platform/blobs/blobs.ts";
import type { Reader } from "../platform/database/database.ts";
import { hasUnknownMigrations } from "../platform/database/migrate.ts";
import {
  describeProgram,
  findRunning,
  type Heartbeat,
  listPrograms,
  type Program,
  startHeartbeat,
} from "../platform/database/programs.ts";
import { continueIDs, readLastID } from "../platform/database/sequences.ts";
import { joined, raw, sql, type Sql, type Value } from "../platform/database/sql.ts";
import {
  hasUnfinishedMove,
  markFinishedMove,
  markUnfinishedMove,
  refuseUnfinishedMove,
} from "../platform/database/unfinished-move.ts";
import {
  listForeignKeys,
  platformTables,
  type Schema,
  sortByReferences,
  type Table,
} from "../platform/database/tables.ts";
import { listUsedBlobs } from "../core/storage/used-blobs.ts";

type Row = Record<string, Value>;

const usualRowsAtOnce = 500;

export const migrateEngineCommand: Command = {
  name: "migrate-engine",
  summary: "copy the whole site to other engines; stop the server first",
  details: "An interrupted copy continues when the command is run again.",
  options: {
    "to-database": { value: "URL|sqlite", required: true, summary: "the database to copy to" },
    "to-storage": { value: "URL|disk", required: true, summary: "the storage to copy to" },
    "to-dir": { value: "DIR", summary: "the data directory to copy to" },
    ...dataOption,
  },
  async run({ config, schema, options: { "to-database": database, "to-storage": storage, "to-dir": directory } }) {
    const target = readConfig(undefined, {
      DATABASE_URL: database === "sqlite" ? "" : database,
      STORAGE_URL: storage === "disk" ? "" : storage,
      DATA_DIR: directory ?? config.dataDir,
    });
    await migrateEngine(config, target, schema, console.log);
    return 0;
  },
};

/** The move cannot be made; the message is one sentence. */
export class MoveError extends Error {}

/**
 * Copies a whole site, ids and all, from one set of engines to another. What was interrupted goes on when it is run again:
 * bytes that have arrived are not sent twice; rows are, so that all of them are of one moment. No server may use either end
 * meanwhile.
 */
export async function migrateEngine(
  from: Config,
  to: Config,
  schema: Schema,
  say: (line: string) => void,
): Promise<void> {
  await refuseMissingSite(from);
  await using source = await openEnd("source", from, schema);
  await refuseUnfinishedMove(source.db);
  await using target = await openEnd("target", to, schema);
  await target.reserve(say);
  await refuseOtherSite(target);
  await source.reserve(say);
  await markUnfinishedMove(target.db);
  await copyBlobs(source, target, say);
  const tables = await listTables(target, schema);
  await copyRows(source, target, tables, say);
  // PostgreSQL would collect the statistics by which it plans statements only after a while.
  if (target.db.engine !== "sqlite") await target.db.transaction((tx) => tx.run(sql`ANALYZE`), { isLong: true });
  await verify(source, target, tables);
  for (const end of [source, target]) await end.verifyUnused();
  await target.keepSecret(source.secret);
  await markFinishedMove(target.db);
  say("Done: every row and every byte has arrived.");
}

type End = Engines &
  AsyncDisposable & { reserve(say: (line: string) => void): Promise<void>; verifyUnused(): Promise<void> };

/** `reserve` keeps servers out until the end is closed, and fails when one is running. */
async function openEnd(name: "source" | "target", config: Config, schema: Schema): Promise<End> {
  const engines = await openEngines(config, schema);
  const { db } = engines;
  if (await hasUnknownMigrations(db, db.engine, schema.migrations)) {
    await engines.close();
    throw new MoveError(`The database of the ${name} was written by a newer version: move it with that version.`);
  }
  let heartbeat: Heartbeat | null = null;
  const isOther = ({ id }: Program) => id !== heartbeat?.id;
  return {
    ...engines,

    async reserve(say) {
      // First show ourselves, then look for others: of two that start at the same time, at least one sees the other.
      heartbeat = await startHeartbeat(db, "migrate-engine");
      const running = await findRunning(db, isOther, (program) =>
        say(`Waiting up to 30 seconds to see whether ${describeProgram(program)} still uses the ${name} …`),
      );
      if (running) throw inUse(running);
    },

    async verifyUnused() {
      const [other] = db.engine === "sqlite" ? [] : (await listPrograms(db)).filter(isOther);
      if (other) throw inUse(other);
    },

    async [Symbol.asyncDispose]() {
      await heartbeat?.stop();
      await engines.close();
    },
  };

  function inUse(program: Program): MoveError {
    return new MoveError(`The ${name} is in use by ${describeProgram(program)}: stop it, then run this again.`);
  }
}

/** Only an empty site, or one that an earlier run has left unfinished, is written to. */
async function refuseOtherSite({ db }: Engines): Promise<void> {
  const hasUsers = (await db.get(sql`SELECT id FROM users LIMIT 1`)) !== null;
  if (hasUsers && !(await hasUnfinishedMove(db))) {
    throw new MoveError("There is a site at the target already: choose an empty one.");
  }
}

async function copyBlobs(source: Engines, target: Engines, say: (line: string) => void): Promise<void> {
  let [seen, sent, said] = [0, 0, 0];
  for await (const blobs of listUsedBlobs(source.db)) {
    for (const sha256 of blobs) {
      if (!(await target.blobs.has(sha256))) {
        await copyBlob(source, target, sha256);
        sent++;
      }
      seen++;
    }
    if (seen >= said + 1000) say(`files: ${(said = seen)}, ${sent} of them sent now`);
  }
  say(`files: ${seen}, ${sent} of them sent now`);
}

async function copyBlob(source: Engines, target: Engines, sha256: string): Promise<void> {
  const bytes = await source.blobs.open(sha256);
  if (!bytes) throw new MoveError(`The bytes of ${sha256} are missing from the source.`);
  const received = await target.blobs.receive(chunksOf(bytes));
  if (received.sha256 !== sha256) {
    await received.discard();
    throw new MoveError(`The bytes of ${sha256} are damaged in the source.`);
  }
  await received.keep();
}

/** Every table whose rows are copied, after those that it refers to. */
async function listTables({ db }: Engines, { tables }: Schema): Promise<Table[]> {
  const copied = [...tables, ...platformTables].filter(({ isTemporary }) => !isTemporary);
  return sortByReferences(copied, await listForeignKeys(db));
}

async function copyRows(source: Engines, target: Engines, tables: Table[], say: (line: string) => void): Promise<void> {
  for (const table of tables.toReversed()) {
    while ((await target.db.transaction((tx) => tx.run(deleteSome(table)))) > 0);
  }
  for (const table of tables) {
    let copied = 0;
    let rows = await readRows(source.db, table, null);
    while (rows.length > 0) {
      await target.db.transaction((tx) => tx.run(insertRows(table, rows)), { isCopy: true });
      copied += rows.length;
      say(`${table.name}: ${copied}`);
      rows = await readRows(source.db, table, rows.at(-1) as Row);
    }
    if (table.key[0] === "id") await continueIDs(target.db, table.name, await readLastID(source.db, table.name));
  }
}

async function verify(source: Engines, target: Engines, tables: Table[]): Promise<void> {
  for (const { name } of tables) {
    const count = async ({ db }: Engines) =>
      (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${word(name)}`))?.rows;
    const [there, here] = [await count(source), await count(target)];
    if (there !== here)
      throw new MoveError(`${name} has ${there} rows at the source and ${here} at the target: run this again.`);
  }
}

function readRows(db: Reader, { name, key, rowsAtOnce = usualRowsAtOnce }: Table, after: Row | null): Promise<Row[]> {
  const columns = words(key);
  const rest = after ? sql`WHERE (${columns}) > (${values(key.map((column) => after[column] as Value))})` : sql``;
  return db.all<Row>(sql`SELECT * FROM ${word(name)} ${rest} ORDER BY ${columns} LIMIT ${rowsAtOnce}`);
}

function insertRows({ name }: Table, rows: Row[]): Sql {
  const columns = Object.keys(rows[0] as Row);
  const lines = rows.map((row) => sql`(${values(columns.map((column) => row[column] as Value))})`);
  return sql`INSERT INTO ${word(name)} (${words(columns)}) VALUES ${joined(lines)}`;
}

function deleteSome({ name, key, rowsAtOnce = usualRowsAtOnce }: Table): Sql {
  const columns = words(key);
  const table = word(name);
  return sql`DELETE FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${table} LIMIT ${rowsAtOnce})`;
}

/** Names of tables and columns: ours or the database's own, never a user's. */
const word = (name: string): Sql => raw(`"${name}"`);
const words = (names: string[]): Sql => joined(names.map(word));
const values = (list: Value[]): Sql => ({ text: ["", ...Array<string>(list.length - 1).fill(", "), ""], values: list });
