import { z } from "zod";
import { selectHashes } from "../../platform/database/hash-tables.ts";
import { keyedHash } from "../../platform/secrets.ts";
import { isComplete } from "./manifest.ts";
import { makeFile, type Output } from "./output.ts";

/** What the copy was made from. If that is the same, there is nothing to do. */
const stateName = ".vitrine-copy-state";
/** Texts may depend on the day: one says until when it is valid. */
const validMs = 30 * 86_400_000;

const state = z.object({
  /** The tables that were read for the copy. */
  tables: z.array(z.string()),
  /** Of their rows, and of everything else that decides what pages show. */
  hash: z.string(),
  madeAt: z.number(),
  pages: z.number(),
  files: z.number(),
  isIndexWhole: z.boolean(),
});

export type State = z.infer<typeof state>;

/** What a copy is made from. The hash is public with the copy, and does not reveal what was hashed without the secret. */
export type Ingredients = { hashes: ReadonlyMap<string, string>; settings: unknown; secret: string };

/** The state of a complete copy that was made from the same; null if there is none. */
export async function findUnchanged(output: Output, ingredients: Ingredients): Promise<State | null> {
  const { success, data } = state.safeParse(await readJSON(output));
  if (!success || Math.abs(Date.now() - data.madeAt) > validMs) return null;
  if (data.hash !== hashOf(ingredients, data.tables)) return null;
  return (await isComplete(output)) ? data : null;
}

async function readJSON(output: Output): Promise<unknown> {
  const bytes = await output.open(stateName);
  if (!bytes) return null;
  try {
    return JSON.parse(Buffer.concat(await Array.fromAsync(bytes)).toString());
  } catch {
    return null;
  }
}

/** To be called before anything is written: the state is that of a whole copy. */
export const removeState = (output: Output): Promise<void> => output.remove(stateName);

export async function writeState(
  output: Output,
  ingredients: Ingredients,
  { tables, pages, files, isIndexWhole }: Omit<State, "hash" | "madeAt">,
): Promise<void> {
  const hash = hashOf(ingredients, tables);
  const written: State = { tables, hash, madeAt: Date.now(), pages, files, isIndexWhole };
  const bytes = new TextEncoder().encode(JSON.stringify(written));
  await output.put(stateName, await makeFile(output.workDirectory, [bytes]));
}

const hashOf = ({ hashes, settings, secret }: Ingredients, tables: readonly string[]) =>
  keyedHash(secret, JSON.stringify([settings, selectHashes(hashes, tables)]), "hex");
