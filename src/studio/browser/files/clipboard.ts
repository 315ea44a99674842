import { useSyncExternalStore } from "react";
import type { File } from "../../../../client/src/index.ts";

/** What was cut or copied, until it is pasted. It stays while other directories and screens are opened. */
export type Clipboard = { entries: readonly File[]; ids: ReadonlySet<number>; isCut: boolean };

let held: Clipboard | null = null;
const listeners = new Set<() => void>();

export function hold(entries: readonly File[], isCut: boolean): void {
  set(entries.length > 0 ? { entries, ids: new Set(entries.map(({ id }) => id)), isCut } : null);
}

export const emptyClipboard = (): void => set(null);

export const useClipboard = (): Clipboard | null => useSyncExternalStore(follow, () => held);

function set(next: Clipboard | null): void {
  held = next;
  for (const listener of listeners) listener();
}

function follow(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
