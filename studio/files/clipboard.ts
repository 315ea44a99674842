import type { File } from "../../client/src/index.ts";
import { createSharedValue } from "../lib/shared-value.ts";

/** What was cut or copied, until it is pasted. It stays while other directories and screens are opened. */
export type Clipboard = { entries: readonly File[]; ids: ReadonlySet<number>; isCut: boolean };

const clipboard = createSharedValue<Clipboard | null>(null);

export function hold(entries: readonly File[], isCut: boolean): void {
  clipboard.change(entries.length > 0 ? { entries, ids: new Set(entries.map(({ id }) => id)), isCut } : null);
}

export const emptyClipboard = (): void => clipboard.change(null);

export const useClipboard = clipboard.use;
