import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sent } from "./observation.ts";

/**
 * A call such as `db.all<Row>(…)`. `at` is the place of its method's name, `src/a.ts:1:2`. The range is that of `Row`; it is empty
 * if the call does not say what its rows are.
 */
export type Call = { at: string; file: string; start: number; end: number; type: string };

export const isTyped = ({ type }: Call): boolean => type !== "";

/** All calls in the sources that return rows. */
export function findCalls(root: string): Call[] {
  const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)].filter(
    (name) => !name.endsWith(".test.ts") && !name.includes("/browser/"),
  );
  return files.toSorted().flatMap((file) => callsIn(file, readFileSync(join(root, file), "utf8")));
}

function callsIn(file: string, text: string): Call[] {
  // Code that passes on a query does not know its rows.
  const call = /(?<=\b(?:db|tx|reader|connection|queries)\s*\.)(?:all|get)(<|\((?!query\)))/g;
  return [...text.matchAll(call)].map(({ 0: { length }, 1: bracket, index }) => {
    const before = text.slice(0, index).split("\n");
    const at = `${file}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
    const start = index + length - (bracket === "(" ? 1 : 0);
    const end = bracket === "(" ? start : endOfType(text, start);
    return { at, file, start, end, type: text.slice(start, end).replaceAll(/\s+/g, " ").trim() };
  });
}

/** Where the bracket closes that was opened before `start`. */
function endOfType(text: string, start: number): number {
  let depth = 1;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "<") depth++;
    if (text[index] === ">" && text[index - 1] !== "=" && --depth === 0) return index;
  }
  throw new Error("A type argument has no end.");
}

/** The types of the rows that each call has returned, as a type in TypeScript. */
export function rowsOfCalls(calls: Call[], observations: Sent[]): Map<Call, string> {
  const byPlace = new Map(calls.map((call) => [call.at, call]));
  const senders = new Map<string, Set<Call>>();
  const shapes = new Map<Call, Map<string, Record<string, Set<string>>>>();
  const callOf = ({ stack }: Sent) => stack.map((place) => byPlace.get(place)).find(Boolean);
  for (const sent of observations) {
    const call = callOf(sent);
    if (call) senders.set(sent.text, (senders.get(sent.text) ?? new Set()).add(call));
  }
  for (const sent of observations) {
    // What was recorded without its place was sent by a call that had sent the same statement before.
    const known = senders.get(sent.text) ?? new Set();
    const call = callOf(sent) ?? (sent.stack.length === 0 && known.size === 1 ? [...known][0] : undefined);
    if (call) for (const shape of sent.shapes) add(call, shape);
  }
  return new Map([...shapes].map(([call, byColumns]) => [call, [...byColumns.values()].map(printRow).join(" | ")]));

  function add(call: Call, shape: Record<string, string>): void {
    const byColumns = shapes.get(call) ?? new Map<string, Record<string, Set<string>>>();
    shapes.set(call, byColumns);
    const names = Object.keys(shape).toSorted().join();
    const columns = byColumns.get(names) ?? {};
    byColumns.set(names, columns);
    for (const [name, type] of Object.entries(shape)) (columns[name] ??= new Set()).add(type);
  }
}

function printRow(columns: Record<string, Set<string>>): string {
  const fields = Object.entries(columns).map(
    ([name, types]) => `${JSON.stringify(name)}: ${[...types].toSorted().join(" | ")}`,
  );
  return `{ ${fields.join("; ")} }`;
}

/**
 * Calls whose rows do not have the type that the code says, with the wrong columns. The type checker finds them, in a copy of
 * the sources in which each call also says what it has returned. A call without a type says that its rows are unknown there, so
 * that they cannot get a type from where they are used. That a text is one of a few is not checked.
 */
export function findWrongRows(root: string, calls: Call[], rows: Map<Call, string>): string[] {
  const copy = mkdtempSync(join(tmpdir(), "vitrine-rows-"));
  try {
    copySources(root, copy);
    for (const [file, some] of Map.groupBy(calls, ({ file }) => file)) {
      let text = readFileSync(join(root, file), "utf8");
      for (const call of some.toSorted((one, other) => other.start - one.start)) {
        text = text.slice(0, call.start) + print(call, text.slice(call.start, call.end)) + text.slice(call.end);
      }
      writeFileSync(join(copy, file), text);
    }
    writeFileSync(join(copy, "src/returned.d.ts"), declaration);
    return typeErrors(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }

  function print(call: Call, type: string): string {
    if (!isTyped(call)) return "<unknown>";
    const returned = rows.get(call);
    return returned ? `Returned<${type}, WrongColumns<${type}, ${returned}>>` : type;
  }
}

function copySources(root: string, copy: string): void {
  const isNeeded = (path: string) => !/\.test\.tsx?$|\/browser(\/|$)/.test(path);
  for (const name of ["src", "convert", "package.json", "tsconfig.json"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isNeeded });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}

const declaration = `
type AnyOf<Value> = Value extends string ? string : Value extends number ? number : Value;
type IsMissing<Row, Column extends keyof Row> = {} extends Pick<Row, Column> ? never : Column;
type WrongColumns<Row, Rows> = Rows extends unknown
  ? { [Column in keyof Row]-?: Column extends keyof Rows
      ? Rows[Column] extends AnyOf<Row[Column]> ? never : Column
      : IsMissing<Row, Column> }[keyof Row]
  : never;
type Returned<Row, Wrong extends never> = Row;
`;

function typeErrors(directory: string): string[] {
  const options = ["--no-pretty", "--all", "--noErrorTruncation", "--noUnusedParameters", "false"];
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, "check", ...options, "src"], {
    cwd: directory,
  });
  if (exitCode === 0) return [];
  const printed = stdout.toString() + stderr.toString();
  const lines = printed.split("\n").filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
  return lines.length > 0 ? lines.map(toFinding) : [printed];
}

function toFinding(line: string): string {
  const [, file, row, columns] =
    /^(\S+)\((\d+),\d+\): error TS2344: Type '(.+)' does not satisfy the constraint 'never'/.exec(line) ?? [];
  return columns ? `${file}:${row}: ${columns.replaceAll('"', "").replaceAll(" | ", ", ")}` : line;
}
