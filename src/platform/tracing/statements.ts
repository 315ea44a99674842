import type { Database, Queries } from "../database/database.ts";
import type { Observer } from "../database/observe.ts";
import type { Sql } from "../database/sql.ts";
import type { RunSpan, Work } from "./spans.ts";

const maxTextLength = 2000;
const systems = { sqlite: "sqlite", postgres: "postgresql" };

/** The same database, with a span for each transaction: from the wait for its turn until its changes are durable. */
export function traceTransactions(db: Database, span: RunSpan): Database {
  const what: Work = { name: "transaction", attributes: { "db.system.name": systems[db.engine] } };
  return { ...db, transaction: (work, options) => span(what, () => db.transaction(work, options)) };
}

/** A span for each statement. Its text has no values: those are sent separately. */
export function observeStatements(span: RunSpan): Observer {
  return (engine, queries) => {
    const { all, get, run, later } = queries;
    const traced: Partial<Queries> = {
      ...(all && {
        all: <Row>(query: Sql) =>
          span(
            describe(engine, query),
            () => all<Row>(query),
            ({ length }) => returned(length),
          ),
      }),
      ...(get && {
        get: <Row>(query: Sql) =>
          span(
            describe(engine, query),
            () => get<Row>(query),
            (row) => returned(row ? 1 : 0),
          ),
      }),
      ...(run && {
        run: (query) =>
          span(
            describe(engine, query),
            () => run(query),
            (rows) => ({ "vitrine.db.changed_rows": rows }),
          ),
      }),
      ...(later && {
        later(query) {
          let failure: { error: unknown } | null = null;
          const sent = span(describe(engine, query), async () => {
            try {
              later(query);
            } catch (error) {
              failure = { error };
              throw error;
            }
          });
          sent.catch(() => {});
          // It has been sent by now, and fails at once, as it would without a span.
          if (failure) throw (failure as { error: unknown }).error;
        },
      }),
    };
    return { ...queries, ...traced };
  };
}

const returned = (rows: number) => ({ "db.response.returned_rows": rows });

const described = { sqlite: new WeakMap<Sql["text"], Work>(), postgres: new WeakMap<Sql["text"], Work>() };

function describe(engine: Database["engine"], { text }: Sql): Work {
  const known = described[engine].get(text);
  if (known) return known;
  const printed = text.join("?").replaceAll(/\s+/g, " ").trim();
  const operation = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.exec(withoutParentheses(printed))?.[0] ?? "statement";
  const table = findTable(printed, printed);
  const work: Work = {
    name: table ? `${operation} ${table}` : operation,
    attributes: {
      "db.system.name": systems[engine],
      "db.operation.name": operation,
      "db.query.text": printed.slice(0, maxTextLength),
      ...(table && { "db.collection.name": table }),
    },
  };
  described[engine].set(text, work);
  return work;
}

/** The first table of a statement, or of the part of it that WITH defines under that name. */
function findTable(part: string, statement: string): string | undefined {
  const name = /\b(?:FROM|JOIN|INTO|UPDATE) "?([a-z]\w*)/.exec(withoutParentheses(part))?.[1];
  const definition = statement.matchAll(definitions).find(([, defined]) => defined === name);
  const after = definition && statement.slice(definition.index + definition[0].length);
  return after === undefined || after.length >= part.length ? name : findTable(after, statement);
}

const definitions = /\b([a-z]\w*)(?: \([^()]*\))? AS (?:(?:NOT )?MATERIALIZED )?\(/g;

/** Leaves out subqueries, and what WITH defines. */
function withoutParentheses(text: string): string {
  const shorter = text.replaceAll(/\([^()]*\)/g, "");
  return shorter === text ? text : withoutParentheses(shorter);
}
