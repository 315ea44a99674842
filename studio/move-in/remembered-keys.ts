/** The keys of trial runs, as long as the page is open: after a trial run, the same is imported without typing them again. */
const keys = new Map<number, string>();

export const rememberKey = (importID: number, key: string): void => void keys.set(importID, key);
export const recallKey = (importID: number): string | null => keys.get(importID) ?? null;
