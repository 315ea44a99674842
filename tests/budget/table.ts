import { readFileSync, writeFileSync } from "node:fs";
import type { Line } from "./requests.ts";

const file = new URL("budget.txt", import.meta.url);
const introduction = `What each kind of request costs, on a site with a few records of each kind. If a change of these numbers is intended,
write them again with "npm run budget", and those of PostgreSQL (PG) with "TEST_ENGINE=scaled npm run budget".

  statements   that are sent, without BEGIN and COMMIT
  rows         that are written, also by triggers
  pages        of the database that the commit writes
  objects      that JavaScript allocates, strings included: a difference of 3 %, or of 60, passes; of 15 % for uploads
  headers      of the response, in bytes, without those of random length
  body         of the response, in bytes, not compressed
  round-trips  to the server: statements that are sent together share one

A first read is the first request after a start, which loads what it needs. It is counted on SQLite only.
`;
const heading = "who: request";
const columns = ["statements", "rows", "pages", "objects", "headers", "body", "PG-statements", "PG-round-trips"];

/** The numbers of one line, by column. */
export type Numbers = Record<string, number>;

export const nameOf = ({ as, request, note }: Line): string => `${as}: ${request}${note ? ` (${note})` : ""}`;

/** The numbers in the file, by the names of the lines. */
export function readBudget(): Map<string, Numbers> {
  const [, table = ""] = readFileSync(file, "utf8").split(`\n${heading}`);
  return new Map(
    table
      .split("\n")
      .slice(1, -1)
      .map((line) => {
        const [name = "", ...cells] = line.split(/\s{2,}/);
        const numbers = cells.map((cell, index) => [columns[index], Number(cell)] as const);
        return [name, Object.fromEntries(numbers.filter(([, number]) => !Number.isNaN(number)))];
      }),
  );
}

/** The numbers of the other engine stay. */
export function writeBudget(budget: Map<string, Numbers>): void {
  const known = readBudget();
  const rows = [...budget].map(([name, numbers]) => {
    const all = { ...known.get(name), ...numbers };
    return [name, ...columns.map((column) => `${all[column] ?? "?"}`)];
  });
  const table = [[heading, ...columns], ...rows];
  const widths = [heading, ...columns].map((_, index) => Math.max(...table.map((cells) => cells[index]!.length)));
  const print = ([name = "", ...cells]: string[]) =>
    name.padEnd(widths[0]!) + cells.map((cell, index) => `  ${cell.padStart(widths[index + 1]!)}`).join("");
  writeFileSync(file, `${introduction}\n${table.map(print).join("\n")}\n`);
}
