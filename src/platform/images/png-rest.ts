import { deflateSync } from "node:zlib";
import { latin, startsWith, uint } from "./bytes.ts";
import { chunks, inflate, writeChunk } from "./png.ts";

/** Where the pixels of each pass begin, how far apart they are, and how large the block is that they stand for until the next pass. */
const passes = [
  { x: 0, y: 0, across: 8, down: 8, width: 8, height: 8 },
  { x: 4, y: 0, across: 8, down: 8, width: 4, height: 8 },
  { x: 0, y: 4, across: 4, down: 8, width: 4, height: 4 },
  { x: 2, y: 0, across: 4, down: 4, width: 2, height: 4 },
  { x: 0, y: 2, across: 2, down: 4, width: 2, height: 2 },
  { x: 1, y: 0, across: 2, down: 2, width: 1, height: 2 },
  { x: 0, y: 1, across: 1, down: 2, width: 1, height: 1 },
];
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const palette = 3;
const headerEnd = 33;
const maxBytes = 2 ** 28;

type Header = { width: number; height: number; depth: number; kind: number; bits: number; pixelBytes: number };

/**
 * What is there of a PNG that is cut off, as a file that can be decoded. The library would lose rows that are there, and decodes no part
 * of a PNG that is stored in passes. Null for others, and if less than `minShare` of its rows is there.
 */
export function mendPNG(bytes: Uint8Array, minShare: number): Uint8Array | null {
  const [width, height] = [uint(bytes, 16, 4), uint(bytes, 20, 4)];
  const [depth = 0, kind = 0, , , interlace] = bytes.subarray(24, 29);
  const bits = depth * (channelsOf[kind] ?? 0);
  const header = { width, height, depth, kind, bits, pixelBytes: Math.max(1, bits >> 3) };
  const isKnown = startsWith(bytes, 12, "IHDR") && bits > 0 && [1, 2, 4, 8, 16].includes(depth);
  if (!isKnown || width === 0 || (1 + width * header.pixelBytes) * height > maxBytes) return null;
  if (interlace === 1) return joinPasses(bytes, header, minShare);
  const row = 1 + Math.ceil((width * bits) / 8);
  const coded = inflate(readCoded(bytes), row * height);
  const rows = Math.floor(coded.length / row);
  if (rows < minShare * height) return null;
  const padded = new Uint8Array(row * height);
  padded.set(coded.subarray(0, rows * row));
  return writePNG(bytes, padded, depth);
}

/** As a file without passes (Adam7): missing pixels are those of the blocks that earlier passes draw. */
function joinPasses(bytes: Uint8Array, header: Header, minShare: number): Uint8Array | null {
  const { width, height, depth, kind, bits, pixelBytes } = header;
  const row = 1 + width * pixelBytes;
  const sizes = passes.map(({ x, y, across, down }) => ({
    columns: Math.ceil((width - x) / across),
    rows: Math.ceil((height - y) / down),
  }));
  const lengths = sizes.map(({ columns, rows }) =>
    columns > 0 && rows > 0 ? rows * (1 + Math.ceil((columns * bits) / 8)) : 0,
  );
  const whole = lengths.reduce((sum, length) => sum + length);
  const coded = Uint8Array.from(inflate(readCoded(bytes), whole));
  if (coded.length < minShare * whole) return null;

  const joined = new Uint8Array(row * height);
  const scale = depth < 8 && kind !== palette ? 255 / (2 ** depth - 1) : 1;
  let at = 0;
  for (const [index, pass] of passes.entries()) {
    const { columns, rows } = sizes[index]!;
    const length = Math.ceil((columns * bits) / 8);
    let above = new Uint8Array(Math.max(0, length));
    for (let r = 0; lengths[index]! > 0 && r < rows && at + 1 + length <= coded.length; r++, at += 1 + length) {
      const line = coded.subarray(at + 1, at + 1 + length);
      unfilter(coded[at]!, line, above, pixelBytes);
      drawLine(pass, r, columns, line);
      above = line;
    }
  }
  // Samples of fewer than 8 bits have become 8.
  return writePNG(bytes, joined, Math.max(8, depth));

  /** Each pixel fills its block. */
  function drawLine(pass: (typeof passes)[number], r: number, columns: number, line: Uint8Array): void {
    const top = pass.y + r * pass.down;
    const bottom = Math.min(height, top + pass.height);
    for (let c = 0; c < columns; c++) {
      const left = pass.x + c * pass.across;
      const right = Math.min(width, left + pass.width);
      for (let b = 0; b < pixelBytes; b++) {
        const value = depth < 8 ? Math.round(sampleAt(line, c, depth) * scale) : line[c * pixelBytes + b]!;
        for (let y = top; y < bottom; y++)
          for (let x = left; x < right; x++) joined[y * row + 1 + x * pixelBytes + b] = value;
      }
    }
  }
}

/** All coded bytes, also those of a chunk that is cut off. */
function readCoded(bytes: Uint8Array): Uint8Array {
  const found: Uint8Array[] = [];
  for (const { type, start, from, to } of chunks(bytes))
    if (type === "IDAT") found.push(bytes.subarray(from, to));
    else if (type === "" && latin(bytes, start + 4, from) === "IDAT") found.push(bytes.subarray(from));
  return Buffer.concat(found);
}

const sampleAt = (line: Uint8Array, index: number, depth: number) =>
  (line[(index * depth) >> 3]! >> (8 - depth - ((index * depth) & 7))) & (2 ** depth - 1);

/** Undoes the filter of a row in place, by section 9 of the specification of PNG. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  for (let i = 0; i < line.length; i++) {
    const [a, b, c] = [line[i - step] ?? 0, above[i]!, above[i - step] ?? 0];
    const predicted =
      filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : filter === 4 ? nearest(a, b, c) : 0;
    line[i] = line[i]! + predicted;
  }
}

function nearest(a: number, b: number, c: number): number {
  const [fromA, fromB, fromC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return fromA <= fromB && fromA <= fromC ? a : fromB <= fromC ? b : c;
}

/** A file without passes, with the colours and the orientation of the original. */
function writePNG(original: Uint8Array, rows: Uint8Array, depth: number): Uint8Array {
  const header = Uint8Array.from(original.subarray(16, 29));
  header[8] = depth;
  header[12] = 0;
  const others: Uint8Array[] = [];
  for (const { type, start, end, isSound } of chunks(original))
    if (isSound && /^(PLTE|tRNS|iCCP|sRGB|gAMA|cHRM|eXIf)$/.test(type) && start >= headerEnd)
      others.push(original.subarray(start, end));
  const pixels = writeChunk("IDAT", deflateSync(rows, { level: 1 }));
  const end = writeChunk("IEND", new Uint8Array());
  return Buffer.concat([original.subarray(0, 8), writeChunk("IHDR", header), ...others, pixels, end]);
}
