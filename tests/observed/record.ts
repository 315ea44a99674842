import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Queries } from "../../src/platform/database/database.ts";
import { observe } from "../../src/platform/database/observe.ts";
import { print } from "../../src/platform/database/postgres-statements.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { type Engine, observedDir, type Sent } from "./observation.ts";
import { root } from "../kit/root.ts";

/*
 * With TEST_OBSERVED, every statement that is sent by this process is recorded with the places in the code that sent it,
 * and the types of what it returned. `check.ts` compares that with the sources after the tests.
 */

/** A statement of the same text may be sent from several places; after this many times, only new types are recorded. */
const maxStacks = 10;
const maxRows = 20;
const maxTextLength = 1000;

type Known = { text: string; sent: number; shapes: Set<string> };

export function recordStatements(directory = observedDir): void {
  if (!directory) return;
  if (process.env.BUN_JSC_useTailCalls !== "0") {
    throw new Error(
      "TEST_OBSERVED needs BUN_JSC_useTailCalls=0: otherwise the code that sends a statement is not known.",
    );
  }
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${process.pid}.jsonl`);
  const written = new Set<string>();
  const write = (sent: Sent) => {
    const line = `${JSON.stringify(sent)}\n`;
    const { values: _, ...rest } = sent;
    const key = Bun.hash(JSON.stringify(rest)).toString();
    if (!written.has(key)) appendFileSync(file, line);
    written.add(key);
  };
  observe((engine, queries) => ({ ...queries, ...recorded(engine, queries, write) }));
}

function recorded(engine: Engine, queries: Partial<Queries>, write: (sent: Sent) => void): Partial<Queries> {
  const { all, get, run, later } = queries;
  const note = (method: Sent["method"], { text: pieces, values }: Sql, stack: string, rows: unknown[]) => {
    const known = find(engine, pieces);
    const seen = new Set(rows.slice(0, maxRows).map(describeRow));
    const shapes = [...seen].filter((shape) => stack !== "" || !known.shapes.has(shape));
    for (const shape of seen) known.shapes.add(shape);
    if (stack === "" && shapes.length === 0) return;
    const places = placesIn(stack);
    if (isOfTests(places[0] ?? "")) return;
    write({
      engine,
      method,
      stack: places,
      text: known.text,
      values: values.map((value) => (typeof value === "string" ? value.slice(0, maxTextLength) : value)),
      shapes: shapes.map(shapeOf),
    });
  };
  /** Empty for statements that were recorded often enough. */
  const captureStack = ({ text }: Sql) => (++find(engine, text).sent > maxStacks ? "" : (new Error().stack ?? ""));
  return {
    ...(all && {
      async all<Row>(query: Sql) {
        const stack = captureStack(query);
        const rows = await all<Row>(query);
        note("all", query, stack, rows);
        return rows;
      },
    }),
    ...(get && {
      async get<Row>(query: Sql) {
        const stack = captureStack(query);
        const row = await get<Row>(query);
        note("get", query, stack, row === null ? [] : [row]);
        return row;
      },
    }),
    ...(run && {
      run(query: Sql) {
        note("run", query, captureStack(query), []);
        return run(query);
      },
    }),
    ...(later && {
      later(query: Sql) {
        note("later", query, captureStack(query), []);
        later(query);
      },
    }),
  };
}

const byPieces = new WeakMap<readonly string[], Known>();
const byText = new Map<string, Known>();

function find(engine: Engine, pieces: readonly string[]): Known {
  let known = byPieces.get(pieces);
  if (known) return known;
  const text = print(pieces);
  known = byText.get(engine + text) ?? { text, sent: 0, shapes: new Set() };
  byText.set(engine + text, known);
  byPieces.set(pieces, known);
  return known;
}

/** The names and types of its columns, as `shapeOf` reads them: most rows are described, and few are written. */
function describeRow(row: unknown): string {
  let described = "";
  for (const [name, value] of Object.entries(row as object)) described += `${name} ${typeOf(value)},`;
  return described;
}

const shapeOf = (described: string): Record<string, string> =>
  Object.fromEntries(
    described
      .split(",")
      .slice(0, -1)
      .map((column) => column.split(" ") as [string, string]),
  );

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? value.constructor.name : typeof value;
}

const isOfTests = (place: string) => /^tests\/|\.test\.tsx?:/.test(place);

/** The places in the sources, without those of the drivers. */
function placesIn(stack: string): string[] {
  const places = [...stack.matchAll(/\(?(\/[^\s()]+:\d+:\d+)\)?$/gm)].map(([, place = ""]) => place);
  return places
    .filter((place) => place.startsWith(root))
    .map((place) => place.slice(root.length))
    .filter(
      (place) =>
        !/^(src\/platform\/database\/(observe|sqlite|postgres|group-commit)\.ts:|tests\/observed\/|node_modules\/)/.test(
          place,
        ),
    );
}
