/** A part of a picture file other than its pixels. */
export type Block = {
  kind: "exif" | "exposure" | "gps" | "xmp" | "iptc" | "created" | "modified" | "other" | "opaque";
  /**
   * The content to read: a TIFF block for `exif`, and for `exposure` and `gps`, which are directories of EXIF in blocks of
   * their own; an XMP packet; IPTC records; a date as text for `created` and `modified`.
   */
  data: Uint8Array;
  /** What has to change before the file is public. */
  edits: Edit[];
};

/** These bytes of the file are replaced by others, or all of them by the number `by`. Edits may have no effect. */
export type Edit = { start: number; end: number; by: Uint8Array | number };

export const nothing = new Uint8Array();

/** The file is damaged or not understood, so private data in it cannot be told apart from the rest. */
export const opaque: Block = { kind: "opaque", data: nothing, edits: [] };

/** A block that is removed from the file. */
export function removed(
  bytes: Uint8Array,
  start: number,
  end: number,
  { kind, data }: Pick<Block, "kind" | "data"> = { kind: "other", data: nothing },
): Block {
  return { kind, data, edits: [{ start, end: Math.min(end, bytes.length), by: nothing }] };
}

/**
 * The edited file in pieces, most of them views of the given bytes; null if nothing changes. If edits overlap, the
 * first one wins.
 */
export function applyEdits(bytes: Uint8Array, edits: Edit[]): Uint8Array[] | null {
  const pieces: Uint8Array[] = [];
  let written = 0;
  let done = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, done);
    if (from > end) continue;
    done = end;
    const old = bytes.subarray(from, end);
    const now = typeof by === "number" ? by : by.subarray(from - start);
    if (isSame(old, now)) continue;
    pieces.push(bytes.subarray(written, from), ...(typeof now === "number" ? filled(old.length, now) : [now]));
    written = end;
  }
  return pieces.length > 0 ? [...pieces, bytes.subarray(written)].filter((piece) => piece.length > 0) : null;
}

function isSame(old: Uint8Array, now: Uint8Array | number): boolean {
  if (typeof now !== "number") return Buffer.compare(old, now) === 0;
  let at = 0;
  return filled(old.length, now).every((view) => Buffer.compare(old.subarray(at, (at += view.length)), view) === 0);
}

const viewLength = 2 ** 20;

/** A number of equal bytes, as views of one small array. */
function filled(length: number, byte: number): Uint8Array[] {
  const view = new Uint8Array(Math.min(length, viewLength)).fill(byte);
  const times = Math.ceil(length / viewLength);
  return Array.from({ length: times }, (_, i) => view.subarray(0, length - i * viewLength));
}

/** The unsigned number in `size` bytes. Bytes after the end count as 0. */
export function uint(bytes: Uint8Array, at: number, size: number, little = false): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[little ? at + size - 1 - i : at + i] ?? 0);
  return value;
}

/** A view of the same bytes, for searching. */
export const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** A few bytes as text, one character each. */
export function latin(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

export function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
