/** The keys of trials, as long as the page is open: whoever has tried wants to import the same without typing it again. */
const keys = new Map<number, string>();

export const rememberKey = (importID: number, key: string): void => void keys.set(importID, key);
export const recallKey = (importID: number): string | null => keys.get(importID) ?? null;
