/** A list, or a grid of several columns. */
type Shape = {
  columns: number;
  isGrid: boolean;
  /** The entry that the keyboard is on; -1 if there is none. */
  active: number;
  /** How many rows are on the screen. */
  rows: () => number;
};

/** The number of entries that a key moves by; null if it is not such a key. */
export function moveOf(key: string, { columns, isGrid, active, rows }: Shape): number | null {
  if (key === "ArrowDown") return active < 0 ? 0 : columns;
  if (key === "ArrowUp") return -columns;
  if (key === "ArrowRight" && isGrid) return active < 0 ? 0 : 1;
  if (key === "ArrowLeft" && isGrid) return -1;
  if (key === "PageDown") return columns * rows();
  if (key === "PageUp") return -columns * rows();
  return null;
}

/** What was typed one letter after the other, and when the last one was. */
type Typed = { text: string; at: number };

/** After a pause, another word begins. */
const pause = 800;

export const addLetter = (before: Typed, letter: string, at: number): Typed => ({
  text: (at - before.at > pause ? "" : before.text) + letter.toLowerCase(),
  at,
});

/** The next entry that begins with what was typed; -1 if there is none. The same letter again goes to the one after it. */
export function findTyped(entries: readonly { name: string }[], text: string, active: number): number {
  const letter = text.slice(-1);
  const isSame = text === letter.repeat(text.length);
  const wanted = isSame ? letter : text;
  const from = isSame ? active + 1 : Math.max(0, active);
  const isFound = ({ name }: { name: string }) => name.toLowerCase().startsWith(wanted);
  const after = entries.findIndex((entry, index) => index >= from && isFound(entry));
  return after < 0 ? entries.findIndex(isFound) : after;
}
