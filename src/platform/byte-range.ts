/** Bytes from `start` up to but not including `end`. */
export type ByteRange = { start: number; end: number };
