import { kept } from "../lib/account.ts";
import { newID } from "../lib/new-id.ts";
import { type Draft, emptyDraft } from "./draft.ts";

/** Text that the server does not have yet, kept in this browser for one account. Each open editor has a copy of its own. */
export type Copy = {
  key: string;
  /** Null for a new post. */
  postID: number | null;
  /** When the post was last changed on the server, as the editor knew it. */
  baseAt: string | null;
  /** When the copy was kept, in milliseconds. */
  at: number;
  draft: Draft;
};

const prefix = "post-copy:";

export const newCopyKey = (): string => `${prefix}${newID()}`;

/** False if the browser has no space for it. */
export const keepCopy = (copy: Copy): boolean => kept.set(copy.key, JSON.stringify(copy));

export const dropCopy = (key: string): void => kept.remove(key);

/** The copies of a post that are not open in another tab, the newest first. */
export async function findCopies(postID: number | null): Promise<Copy[]> {
  const open = await listOpen();
  return listCopies().filter((copy) => copy.postID === postID && !open.has(copy.key));
}

/** All of this account, the newest first. */
export function listCopies(): Copy[] {
  const copies = kept.list(prefix).flatMap((key) => readCopy(key) ?? []);
  return copies.toSorted((one, other) => other.at - one.at);
}

function readCopy(key: string): Copy | null {
  try {
    const copy = JSON.parse(kept.get(key) ?? "null") as Copy | null;
    return copy && { ...copy, key, draft: { ...emptyDraft, ...copy.draft } };
  } catch {
    return null;
  }
}

/** While a tab has a copy open, it holds a lock with the key as its name. The browser releases it even if the tab crashes. */
export function holdCopy(key: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks?.request(key, () => promise);
  return resolve;
}

/** Browsers have locks only on secure pages. Elsewhere, a copy that is open in another tab may also be offered. */
async function listOpen(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name ?? ""));
}
