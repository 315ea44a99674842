import { type Edit, latin, uint } from "./bytes.ts";

/** A box of an ISO media file: HEIF, AVIF, MP4 or QuickTime. The content is `from`…`end`. */
export type Box = {
  type: string;
  start: number;
  from: number;
  end: number;
  /** False for an `mdat` that is cut off by the end of the file, or has no length. */
  isWhole: boolean;
};

const maxBoxes = 100_000;

/** The consecutive boxes from `start`. `end` is where the first invalid one begins, or `limit`. */
export function readBoxes(bytes: Uint8Array, start: number, limit: number): { boxes: Box[]; end: number } {
  const boxes: Box[] = [];
  let at = start;
  while (at + 8 <= limit && boxes.length < maxBoxes) {
    const short = uint(bytes, at, 4);
    const from = at + (short === 1 ? 16 : 8);
    const size = short === 1 ? uint(bytes, at + 8, 8) : short;
    const type = latin(bytes, at + 4, at + 8);
    const isWhole = type !== "mdat" || (size > 0 && at + size <= limit);
    const end = isWhole ? at + size : limit;
    if (end < from || end > limit) break;
    boxes.push({ type, start: at, from, end, isWhole });
    at = end;
  }
  return { boxes, end: at };
}

/** The boxes inside another box; null if they do not fill it. A few zeros may follow them. */
export function childBoxes(bytes: Uint8Array, start: number, limit: number): Box[] | null {
  const { boxes, end } = readBoxes(bytes, start, limit);
  const isFilled = limit - end < 8 && uint(bytes, end, limit - end) === 0;
  return isFilled ? boxes : null;
}

/** The first box on a path such as `mdia/minf/stbl`, whose first step is inside the given box. */
export function findBelow(bytes: Uint8Array, box: Box, path: string): Box | undefined {
  let found: Box | undefined = box;
  for (const type of path.split("/")) {
    found = findBox(readBoxes(bytes, found.from, found.end).boxes, type);
    if (!found) return undefined;
  }
  return found;
}

export const findBox = (boxes: Box[], type: string) => boxes.find((box) => box.type === type);

/** Turns a box into a `free` box of the same size, filled with zeros. */
export function emptyBox({ start, from, end }: Box): Edit[] {
  return [
    { start: start + 4, end: start + 8, by: new TextEncoder().encode("free") },
    { start: from, end, by: 0 },
  ];
}
