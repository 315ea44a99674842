import type { Queries } from "../../platform/database/database.ts";
import { Problem } from "../../platform/errors.ts";
import { checkNameIsFree } from "./store.ts";

/** A name as an account may have it. */
export function toUsername(wish: string): string {
  const name = wish
    .toWellFormed()
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}._\-@+]+/gu, "-")
    .replace(/^[\p{M}-]+|(?<!-)-+$/gu, "");
  return name.slice(0, 48).toWellFormed().replaceAll("\uFFFD", "") || "guest";
}

/** The name, or the same with a number, as a new account can have it. */
export async function chooseUsername(tx: Queries, name: string): Promise<string> {
  for (const candidate of [name, ...[2, 3, 4, 5].map((number) => `${name}-${number}`)])
    if (await isFree(tx, candidate)) return candidate;
  return `${name}-${crypto.randomUUID().slice(0, 8)}`;
}

async function isFree(tx: Queries, name: string): Promise<boolean> {
  try {
    await checkNameIsFree(tx, name);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
