import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { peekDatabase } from "../engines.ts";
import { compareIndex } from "../features/search/unindexed.ts";
import { kindsOf, type Module, schemaOf } from "../module.ts";
import { type Database, DatabaseError, type Queries, type Reader } from "../platform/database/database.ts";
import { findContradictions, findDamage, findWrongValues, type WrongRows } from "../platform/database/integrity.ts";
import { findMissingSetting } from "../platform/database/postgres-plans.ts";
import { listPrograms } from "../platform/database/programs.ts";
import { platformTables } from "../platform/database/platform-tables.ts";
import { tryLock } from "../platform/lock.ts";
import { count, error, type Finding, type Fix, warning } from "./doctor-finding.ts";

/** Damage to the database as such, before anything else reads it. */
export const findDatabaseDamage = (config: Config): Promise<string[]> =>
  peekDatabase(config, (db) => findDamage(db, config.database.engine));

/** Contradictions in rows and between them. Only reads, and is not bound to the deadlines of a server: tables may be large. */
export function findWrongRows(config: Config, modules: readonly Module[]): Promise<Finding[]> {
  const { engine } = config.database;
  const { documents, tables } = schemaOf(modules);
  const declared = [...tables, ...platformTables];
  return peekDatabase(config, async (db: Reader) => {
    const findings: Finding[] = [];
    for await (const wrong of findContradictions(db, engine, { tables: declared, documents }))
      findings.push(describeRows(wrong));
    for await (const wrong of findWrongValues(db, engine, declared)) findings.push(describeRows(wrong));
    findings.push(...(await attempt("search", () => compareSearch(db, config, modules))));
    return findings;
  });
}

/** What can be derived from the records again, and by which command. */
const derivedTables: Record<string, { fix: Fix; repair: string } | undefined> = {
  documents: { fix: "search", repair: 'run "vitrine rebuild search" and start the server, or "vitrine doctor --fix"' },
  post_html: { fix: "posts", repair: 'run "vitrine rebuild posts", or "vitrine doctor --fix"' },
};

function describeRows({ table, what, rows, count: number, repair }: WrongRows): Finding {
  const more = number > rows.length ? ", …" : "";
  const derived = derivedTables[table];
  const text = `${count(number, "row")} ${what} (${rows.join(", ")}${more})`;
  return error(table, text, derived?.repair ?? repair, derived?.fix);
}

async function compareSearch(db: Reader, config: Config, modules: readonly Module[]): Promise<Finding[]> {
  const { waiting, extra, ...found } = await compareIndex(db, config.database.engine, kindsOf(modules));
  const isServed = waiting > 0 && (await hasServer(db, config));
  const lacks = found.lacks + (isServed ? 0 : waiting);
  const repair = 'run "vitrine rebuild search" and start the server, or "vitrine doctor --fix"';
  return [
    ...(isServed
      ? [
          warning(
            "search",
            `${count(waiting, "record")} cannot be found yet`,
            "the server indexes them within an hour of its start, most within a minute: look again then",
          ),
        ]
      : []),
    ...(lacks > 0 ? [error("search", `${count(lacks, "record")} cannot be found`, repair, "search")] : []),
    ...(extra > 0
      ? [
          error(
            "search",
            `${count(extra, "record")} in the index ${extra === 1 ? "does" : "do"} not exist`,
            repair,
            "search",
          ),
        ]
      : []),
  ];
}

/** Settings of PostgreSQL that the server could not make itself. */
export async function checkSettings(db: Database): Promise<Finding[]> {
  if (db.engine !== "postgres") return [];
  const statement = await findMissingSetting(db);
  if (!statement) return [];
  const what = "reads are planned at each execution, which slows them down: the role may not change its settings";
  return [warning("PostgreSQL", what, `run as its administrator: ${statement}`)];
}

async function hasServer(db: Reader, { database, databaseDir }: Config): Promise<boolean> {
  if (database.engine === "postgres") return (await listPrograms(db)).some(({ kind }) => kind === "server");
  const path = join(databaseDir, "lock");
  if (!existsSync(path)) return false;
  const lock = tryLock(path);
  lock?.release();
  return lock === null;
}

/** Stored values that do not follow from the records. The code that corrects them compares them, and its changes are undone. */
export async function findWrongCounts(db: Database, modules: readonly Module[]): Promise<Finding[]> {
  const compared = withoutChanges(db);
  const findings: Finding[] = [];
  for (const { name, rebuild } of schemaOf(modules).maintained) {
    const found = await attempt(name, async () => {
      const wrong = await rebuild(compared);
      const repair = 'run "vitrine rebuild counts", or "vitrine doctor --fix"';
      return wrong > 0
        ? [error(name, `${count(wrong, "stored count")} ${wrong === 1 ? "is" : "are"} wrong`, repair, "counts")]
        : [];
    });
    findings.push(...found);
  }
  return findings;
}

/** Rows that cannot be read keep others from being compared. */
export async function attempt(where: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (reason) {
    if (reason instanceof DatabaseError) throw reason;
    const what = `cannot be compared: ${(reason as Error).message}`;
    return [error(where, what, "repair the rows of the other findings first")];
  }
}

/** The same database, whose transactions are all undone: what corrects values then only counts those that are wrong. */
function withoutChanges(db: Database): Database {
  return {
    ...db,
    async transaction<Result>(work: (tx: Queries) => Promise<Result>): Promise<Result> {
      try {
        return await db.transaction(
          async (tx) => {
            throw new Undone(await work(tx));
          },
          { isLong: true },
        );
      } catch (reason) {
        if (reason instanceof Undone) return reason.result as Result;
        throw reason;
      }
    },
  };
}

class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("The transaction was undone.");
    this.result = result;
  }
}
