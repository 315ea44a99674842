/** A photo that is being moved: where it was, and where it would be put down. */
export type Move = { from: number; to: number };

/** Which photo is shown at a position while one of them is being moved. */
export function shownAt(position: number, move: Move | null): number {
  if (!move) return position;
  const { from, to } = move;
  if (position === to) return from;
  if (from < to && position >= from && position < to) return position + 1;
  if (from > to && position > to && position <= from) return position - 1;
  return position;
}
