import { closeSync, openSync, writeSync } from "node:fs";
import type { Piece } from "./decoder.ts";
import { viewFile } from "./file-view.ts";
import { haveSameParts } from "./pixel-parts.ts";

/** A larger file is compared by decoding it. */
const maxInMemory = 2 ** 28;
const fillBytes = 2 ** 16;

/** Whether everything on which the pixels depend is the same in a cleaned file. */
export function isSurelySame(bytes: Uint8Array, stripped: Uint8Array[]): boolean {
  const size = stripped.reduce((sum, { length }) => sum + length, 0);
  return size <= maxInMemory && haveSameParts(bytes, Buffer.concat(stripped));
}

/** Writes a cleaned file. An attempt that was interrupted may have left a part of it. */
export function writeCopy(copy: string, path: string, pieces: Piece[]): void {
  const bytes = viewFile(path);
  const file = openSync(copy, "w", 0o600);
  for (const piece of pieces) {
    if (typeof piece === "string") writeWhole(file, Buffer.from(piece, "base64"));
    else if ("start" in piece) writeWhole(file, bytes.subarray(piece.start, piece.end));
    else
      for (let left = piece.length; left > 0; left -= fillBytes)
        writeWhole(file, new Uint8Array(Math.min(left, fillBytes)).fill(piece.fill));
  }
  closeSync(file);
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}
