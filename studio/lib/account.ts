import type { OwnAccount } from "../../client/src/index.ts";

/**
 * What a person has typed and the server does not have yet is kept in this browser, which several people may use: each entry
 * has the account in its key, and no account reads those of another. After a session has expired or was revoked, the same
 * person finds them again.
 */
let account: number | null = null;
let isLeft = false;

const keyOf = (name: string): string => `vitrine:${account}:${name}`;

/** The account whose studio was opened last in this browser. Other tabs are notified when it changes. */
const currentKey = "vitrine-account";

/** Entries of versions before 0.2 do not say whose they are, so they cannot be shown to anyone. */
const withoutAccount = /^(vitrine-post-copy:|studio-photo-draft-|vitrine-reply:|settings )/;

/** Called before a screen is shown. */
export function openAccount(id: number): void {
  if (account === id) return;
  account = id;
  for (const storage of storages()) removeAll(storage, (key) => withoutAccount.test(key));
  attempt(() => localStorage.setItem(currentKey, String(id)));
}

/**
 * The account whose studio opens without a network. Signing out here or on the site removes it
 * (src/web/site/browser/sign-out.ts).
 */
const offlineKey = "vitrine-offline";

export function keepForOffline(me: OwnAccount): void {
  attempt(() => localStorage.setItem(offlineKey, JSON.stringify(me)));
}

export const readForOffline = (): OwnAccount | null =>
  attempt(() => JSON.parse(localStorage.getItem(offlineKey) ?? "null") as OwnAccount | null);

export const ownAccount = (): number | null => account;

export type Kept = {
  get(name: string): string | null;
  /** False if the browser has no space for it. */
  set(name: string, text: string): boolean;
  remove(name: string): void;
  /** The names that begin so. */
  list(prefix: string): string[];
};

/** Until the person signs out here, in every tab. */
export const kept = createKept(() => localStorage);

/** As long as the tab is open. */
export const keptInTab = createKept(() => sessionStorage);

function createKept(storage: () => Storage): Kept {
  return {
    get: (name) => (account === null ? null : attempt(() => storage().getItem(keyOf(name)))),
    set: (name, text) => account !== null && attempt(() => (storage().setItem(keyOf(name), text), true)) === true,
    remove: (name) => void attempt(() => storage().removeItem(keyOf(name))),
    list: (prefix) =>
      (attempt(() => Object.keys(storage())) ?? [])
        .filter((key) => account !== null && key.startsWith(keyOf(prefix)))
        .map((key) => key.slice(keyOf("").length)),
  };
}

/** Deletes all that is kept for this account, after it has signed out. Nothing more is kept until the page is left. */
export function forgetAccount(): void {
  const prefix = keyOf("");
  account = null;
  for (const storage of storages()) removeAll(storage, (key) => key.startsWith(prefix));
  // The tab also remembers how far each screen was scrolled.
  attempt(() => sessionStorage.clear());
  for (const key of [offlineKey, currentKey]) attempt(() => localStorage.removeItem(key));
}

/** Leaves the page without a question: what was not saved is kept, or the person has decided about it. */
export function leaveTo(path: string): void {
  isLeft = true;
  location.replace(path);
}

export const isLeaving = (): boolean => isLeft;

/**
 * Leaves the studio of this account when another person uses the browser. `readID` returns whose session it is, and is
 * asked when the tab is seen again: a person can also sign in without the studio.
 */
export function followAccount(readID: () => Promise<number>, signal: AbortSignal): void {
  const leave = () => leaveTo("/studio/");
  const check = async () => {
    if (document.hidden || account === null) return;
    const id = await readID().catch(() => account);
    if (account !== null && id !== account) leave();
  };
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== currentKey || account === null || newValue === String(account)) return;
    // Signed out in another tab, where the person has agreed to lose what is not saved.
    if (newValue === null) account = null;
    leave();
  };
  addEventListener("storage", follow, { signal });
  addEventListener("pageshow", (event) => (event as PageTransitionEvent).persisted && void check(), { signal });
  document.addEventListener("visibilitychange", () => void check(), { signal });
}

const storages = (): Storage[] =>
  [attempt(() => localStorage), attempt(() => sessionStorage)].filter((storage) => storage !== null);

function removeAll(storage: Storage, isRemoved: (key: string) => boolean): void {
  for (const key of Object.keys(storage)) if (isRemoved(key)) storage.removeItem(key);
}

/** A browser may forbid to keep anything. */
function attempt<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch {
    return null;
  }
}
