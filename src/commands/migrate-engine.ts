import { type Command, dataOption, MoveError } from "./command.ts";
import { type Config, readConfig } from "../config.ts";
import { type Engines, openEngines, refuseMissingSite } from "../engines.ts";
import { type Blobs, chunksOf, storeWhole } from "../platform/blobs/blobs.ts";
import { copyRows, countRows, listCopiedTables } from "../platform/database/copy-rows.ts";
import { hasUnknownMigrations } from "../platform/database/migrate.ts";
import {
  describeProgram,
  findRunning,
  type Heartbeat,
  listPrograms,
  type Program,
  startHeartbeat,
} from "../platform/database/programs.ts";
import { sql } from "../platform/database/sql.ts";
import {
  hasUnfinishedMove,
  markFinishedMove,
  markUnfinishedMove,
  refuseUnfinishedMove,
} from "../platform/database/unfinished-move.ts";
import type { Schema, Table } from "../platform/database/tables.ts";
import { describeReferences, listUsedBlobs } from "../core/storage/used-blobs.ts";
import { type Reader, DatabaseError } from "../platform/database/database.ts";
import { Problem } from "../platform/errors.ts";
import { streamInParallel } from "../platform/in-parallel.ts";

export const migrateEngineCommand: Command = {
  name: "migrate-engine",
  summary: "copy the whole site to other engines; stop the server first",
  details: "An interrupted copy continues when the command is run again.",
  options: {
    "to-database": { value: "URL|sqlite", required: true, summary: "the database to copy to" },
    "to-storage": { value: "URL|disk", required: true, summary: "the storage to copy to" },
    "to-dir": { value: "DIR", summary: "the data directory to copy to" },
    "to-database-dir": { value: "DIR", summary: "where SQLite is to be, instead of the data directory" },
    ...dataOption,
  },
  async run({ config, schema, options }) {
    const { "to-database": database, "to-storage": storage, "to-dir": directory } = options;
    const target = readConfig(undefined, {
      DATABASE_URL: database === "sqlite" ? "" : database,
      STORAGE_URL: storage === "disk" ? "" : storage,
      DATA_DIR: directory ?? config.dataDir,
      DATABASE_DIR: options["to-database-dir"] ?? "",
    });
    await migrateEngine(config, target, schema, { say: console.log }).catch((error: unknown) => {
      throw explain(error);
    });
    return 0;
  },
};

/** Returns false if the bytes are missing or damaged. */
type StoreBlob = (sha256: string, blobs: Pick<Blobs, "receive">) => Promise<boolean>;
type Options = {
  say(line: string): void;
  /** Stores bytes, if they are not those of the source. */
  storeBlob?: StoreBlob;
  /** What to do about missing and damaged bytes, instead of ending. */
  damaged?(sha256: string): void;
};

/**
 * Copies a whole site, ids and all, from one set of engines to another. What was interrupted goes on when it is run again:
 * bytes that have arrived are not sent twice; rows are, so that all of them are of one moment. No server may use either end
 * meanwhile.
 */
export async function migrateEngine(
  from: Config,
  to: Config,
  schema: Schema,
  { say, ...elsewhere }: Options,
): Promise<void> {
  await refuseMissingSite(from);
  await using source = await openEnd("source", from, schema);
  await refuseUnfinishedMove(source.db);
  await using target = await openEnd("target", to, schema);
  await target.reserve(say);
  await refuseOtherSite(target);
  await source.reserve(say);
  await markUnfinishedMove(target.db);
  await copyBlobs(source, target, { say, ...elsewhere });
  const tables = await listCopiedTables(target.db, schema);
  await copyRows(source.db, target.db, tables, say);
  // PostgreSQL would collect the statistics by which it plans statements only after a while.
  if (target.db.engine !== "sqlite") await target.db.transaction((tx) => tx.run(sql`ANALYZE`), { isLong: true });
  await verify(source, target, tables);
  for (const end of [source, target]) await end.verifyUnused();
  await target.keepSecret(source.secret);
  await markFinishedMove(target.db);
  say("Done: every row and every byte has arrived.");
}

/** A failure of a database or a storage, with its cause, which a client of a server would not see. */
function explain(error: unknown, beginning = ""): unknown {
  if (!(error instanceof Problem || error instanceof DatabaseError)) return error;
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return new MoveError(`${beginning}${error.message}${reason}`);
}

type End = Engines &
  AsyncDisposable & { reserve(say: (line: string) => void): Promise<void>; verifyUnused(): Promise<void> };

/** `reserve` keeps servers out until the end is closed, and fails when one is running. */
async function openEnd(name: "source" | "target", config: Config, schema: Schema): Promise<End> {
  const engines = await openEngines(config, schema).catch((error: unknown) => {
    throw explain(error, `The ${name} cannot be used. `);
  });
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

/** More at a time would fill the disk of the spool with files that wait for the network. */
const filesAtOnce = 16;
const sayEvery = 1000;

async function copyBlobs(source: Engines, target: Engines, { say, storeBlob, damaged }: Options): Promise<void> {
  const store = storeBlob ?? storeFrom(source);
  const unusable: string[] = [];
  let [seen, sent] = [0, 0];
  await streamInParallel(eachUsedBlob(source.db), filesAtOnce, async (sha256) => {
    if (!(await target.blobs.has(sha256))) {
      if (await store(sha256, target.blobs)) sent++;
      else if (damaged) damaged(sha256);
      else unusable.push(sha256);
    }
    if (++seen % sayEvery === 0) say(progress());
  });
  if (unusable.length > 0) await refuseUnusable(source.db, unusable.toSorted(), say);
  say(progress());

  function progress(): string {
    return `files: ${seen}, ${sent} of them sent now`;
  }
}

async function* eachUsedBlob(db: Reader): AsyncGenerator<string> {
  for await (const blobs of listUsedBlobs(db)) yield* blobs;
}

function storeFrom(source: Engines): StoreBlob {
  return async (sha256, blobs) => {
    const bytes = await source.blobs.open(sha256);
    return bytes !== null && storeWhole(blobs, sha256, chunksOf(bytes));
  };
}

/** After all others were copied, so that one report names them all. */
async function refuseUnusable(db: Reader, names: string[], say: Options["say"]): Promise<never> {
  for (const name of names) {
    const users = (await describeReferences(db, name)).join(", ");
    say(`missing or damaged: ${name} (${users})`);
  }
  const what = names.length === 1 ? "The bytes of one file are" : `The bytes of ${names.length} files are`;
  throw new MoveError(
    `${what} missing from the source, or damaged there: restore them from a backup, or delete what uses them, then run this again.`,
  );
}

async function verify(source: Engines, target: Engines, tables: Table[]): Promise<void> {
  for (const table of tables) {
    const [there, here] = [await countRows(source.db, table), await countRows(target.db, table)];
    if (there !== here)
      throw new MoveError(`${table.name} has ${there} rows at the source and ${here} at the target: run this again.`);
  }
}
