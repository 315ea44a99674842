import type { Config } from "../config.ts";
import { peekDatabase } from "../engines.ts";
import { kindsOf, type Module, schemaOf } from "../module.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { type BrokenReference, findBrokenReferences, findDamage } from "../platform/database/integrity.ts";
import { platformTables } from "../platform/database/tables.ts";
import { compareIndex } from "../features/search/unindexed.ts";

/** Damage to the database as such, before anything else reads it. */
export const findDatabaseDamage = (config: Config): Promise<string[]> =>
  peekDatabase(config, (db) => findDamage(db, config.database.engine));

/** Contradictions between rows, each as a line with the command that repairs it. */
export async function* checkDatabase(config: Config, db: Database, modules: readonly Module[]): AsyncGenerator<string> {
  const schema = schemaOf(modules);
  // Not with the deadlines of a server: tables may be large.
  yield* await peekDatabase(config, async (reader: Reader) => {
    const lines: string[] = [];
    for await (const broken of findBrokenReferences(reader, db.engine, [...schema.tables, ...platformTables]))
      lines.push(describeBroken(broken));
    const { lacks, extra } = await compareIndex(reader, db.engine, kindsOf(modules));
    const rebuild = 'run "vitrine rebuild search" and start the server';
    if (lacks > 0) lines.push(`search: ${count(lacks, "record")} cannot be found: ${rebuild}.`);
    if (extra > 0)
      lines.push(
        `search: ${count(extra, "record")} in the index ${extra === 1 ? "does" : "do"} not exist: ${rebuild}.`,
      );
    return lines;
  });
  const compared = withoutChanges(db);
  for (const { name, rebuild } of schema.maintained) {
    const wrong = await rebuild(compared);
    if (wrong > 0)
      yield `${name}: ${count(wrong, "stored count")} ${wrong === 1 ? "is" : "are"} wrong: run "vitrine rebuild counts".`;
  }
}

const count = (number: number, what: string) => `${number} ${number === 1 ? what : `${what}s`}`;

function describeBroken({ table, column, refersTo, rows, count: number, repair }: BrokenReference): string {
  const more = number > rows.length ? ", …" : "";
  const refer = number === 1 ? "refers" : "refer";
  return `${table}: ${count(number, "row")} ${refer} by ${column} to what does not exist in ${refersTo} (${rows.join(", ")}${more}): ${repair}.`;
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
      } catch (error) {
        if (error instanceof Undone) return error.result as Result;
        throw error;
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
