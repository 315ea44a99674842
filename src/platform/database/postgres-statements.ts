import type { Value } from "./sql.ts";

export type Rows = Record<string, unknown>[] & { count: number };

type Asked = { send(text: string, values: readonly Value[]): Promise<Rows> };

/** Sends a printed statement. Numbers that do not fit into an `integer` arrive as numbers, too. */
export async function ask(connection: Asked, text: string, values: readonly Value[]): Promise<Rows> {
  const rows = await connection.send(text, values);
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
