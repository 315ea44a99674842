import { type Kept, kept } from "../lib/account.ts";
import { newID } from "../lib/new-id.ts";
import { keptPostsName } from "./kept-posts.ts";
import { type Draft, emptyDraft } from "./draft.ts";

/** Text that the server does not have yet, kept in this browser for one account. Each open editor has its own copy. */
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

export type Copies = ReturnType<typeof createCopies>;

/** Browsers have locks only on secure pages. Elsewhere, a copy that is open in another tab may also be offered. */
type Locks = Pick<LockManager, "request" | "query">;

export function createCopies(storage: Kept, locks: () => Locks | undefined) {
  return { keep, drop, find, list, hold };

  /** False if there is no space for it. */
  function keep(copy: Copy): boolean {
    const text = JSON.stringify(copy);
    if (storage.set(copy.key, text)) return true;
    // The server has those.
    storage.remove(keptPostsName);
    return storage.set(copy.key, text);
  }

  function drop(key: string): void {
    storage.remove(key);
  }

  /** The copies of a post that are not open in another tab, the newest first. */
  async function find(postID: number | null): Promise<Copy[]> {
    const { held = [] } = (await locks()?.query()) ?? {};
    const open = new Set(held.map(({ name }) => name ?? ""));
    return list().filter((copy) => copy.postID === postID && !open.has(copy.key));
  }

  /** All of this account, the newest first. */
  function list(): Copy[] {
    const copies = storage.list(prefix).flatMap((key) => read(key) ?? []);
    return copies.toSorted((one, other) => other.at - one.at);
  }

  function read(key: string): Copy | null {
    try {
      const copy = JSON.parse(storage.get(key) ?? "null") as Copy | null;
      return copy && { ...copy, key, draft: { ...emptyDraft, ...copy.draft } };
    } catch {
      return null;
    }
  }

  /** While a tab has a copy open, it holds a lock with the key as its name. The browser ends it also if the tab crashes. */
  function hold(key: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    void locks()?.request(key, () => promise);
    return resolve;
  }
}

export const copies = createCopies(kept, () => navigator.locks);
