import type { Value } from "./sql.ts";

export type Rows = Record<string, unknown>[] & { count: number };

type Asked = { send(text: string, values: readonly Value[]): Promise<Rows> };

/** Sends a printed statement. Numbers that do not fit into an `integer` arrive as numbers, too. */
export async function ask(connection: Asked, text: string, values: readonly Value[]): Promise<Rows> {
  const sent = withLimits(text, values);
  const rows = await connection.send(sent.text, sent.values);
  for (const row of rows) {
    for (const key in row) if (typeof row[key] === "bigint") row[key] = Number(row[key]);
  }
  return rows;
}

const printed = new WeakMap<readonly string[], string>();

/** With `$1`, `$2` for the values. */
export function print(text: readonly string[]): string {
  let result = printed.get(text);
  if (result === undefined) {
    result = text.reduce((before, piece, index) => `${before}$${index}${piece}`);
    printed.set(text, result);
  }
  return result;
}

type Limited = { text: string; limits: Map<number, Value> };

/** By the text of the statement; null if it has no limit, or has had another one. */
const limited = new Map<string, Limited | null>();

/**
 * As it is sent. A limit that a statement has had each time is part of its text: it comes from the code, and the plan that
 * PostgreSQL keeps is made for it. A plan for any limit is one for a tenth of the rows. Limits of requests: see `firstOf`.
 */
export function withLimits(text: string, values: readonly Value[]): { text: string; values: readonly Value[] } {
  let known = limited.get(text);
  if (known === undefined) limited.set(text, (known = putLimits(text, values)));
  if (known === null) return { text, values };
  const { limits } = known;
  for (const [index, limit] of limits) {
    if (values[index] === limit) continue;
    limited.set(text, null);
    return { text, values };
  }
  return { text: known.text, values: values.filter((_, index) => !limits.has(index)) };
}

function putLimits(text: string, values: readonly Value[]): Limited | null {
  const found = Array.from(text.matchAll(/\b(?:LIMIT|OFFSET) \$(\d+)/g), ([, number]) => Number(number) - 1);
  const limits = new Map(found.map((index) => [index, values[index] ?? null]));
  // Without values, the runtime would not prepare it.
  if (limits.size === 0 || limits.size === values.length) return null;
  if (![...limits.values()].every((limit) => Number.isSafeInteger(limit))) return null;
  let left = 0;
  const numbers = values.map((value, index) => (limits.has(index) ? String(value) : `$${++left}`));
  return { text: text.replaceAll(/\$(\d+)/g, (_, number) => numbers[Number(number) - 1] ?? ""), limits };
}
