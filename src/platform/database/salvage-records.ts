import { isUtf8 } from "node:buffer";
import type { Page } from "./log-frames.ts";
import type { Pages } from "./salvage-pages.ts";
import type { Value } from "./sql.ts";

/** How a page of a table or an index is marked in its first byte. */
const kinds = { 0x02: "index", 0x05: "table", 0x0a: "index", 0x0d: "table" } as const;

/** A page of a b-tree in which every number is possible. Inner pages have `children`, leaves do not. */
type Node = {
  kind: "table" | "index";
  cells: Cell[];
  /** The pages below, in order. `key` is the highest rowid below a page of a table; null for the last one. */
  children: { page: number; key: number | null }[] | null;
};

/** `rowid` is 0 in an index; `payload` has no bytes on an inner page of a table. */
type Cell = { rowid: number; payload: Payload };
type Payload = { local: Uint8Array; length: number; overflow: number };

/** Null if the page is not what SQLite writes: then something else has overwritten it, or it is of another kind. */
export function parseNode(pages: Pages, number: number): Node | null {
  const page = pages.read(number);
  const start = number === 1 ? 100 : 0;
  const type = page?.bytes[start] as keyof typeof kinds;
  const kind = kinds[type];
  if (!page || !kind) return null;
  const isLeaf = type > 0x08;
  const cellCount = page.view.getUint16(start + 3);
  const content = page.view.getUint16(start + 5) || 65_536;
  const pointers = start + (isLeaf ? 8 : 12);
  const end = pointers + 2 * cellCount;
  if (content > pages.usable || end > content) return null;
  const cells: Cell[] = [];
  const children: { page: number; key: number | null }[] = [];
  for (let index = 0; index < cellCount; index++) {
    const at = page.view.getUint16(pointers + 2 * index);
    if (at < content || at + 4 > pages.usable) return null;
    const cell = parseCell(pages, page, { at, kind, isLeaf });
    if (!cell) return null;
    if (kind === "table" && index > 0 && cell.rowid <= (cells[index - 1] as Cell).rowid) return null;
    cells.push(cell);
    if (!isLeaf) children.push({ page: page.view.getUint32(at), key: cell.rowid });
  }
  if (isLeaf) return { kind, cells, children: null };
  if (cellCount === 0) return null;
  children.push({ page: page.view.getUint32(start + 8), key: null });
  const isPossible = children.every((child) => child.page > 1 && child.page <= pages.count && child.page !== number);
  return isPossible ? { kind, cells, children } : null;
}

function parseCell(
  pages: Pages,
  page: Page,
  { at, kind, isLeaf }: { at: number; kind: Node["kind"]; isLeaf: boolean },
): Cell | null {
  const { usable } = pages;
  let position = isLeaf ? at : at + 4;
  let length = 0;
  if (isLeaf || kind === "index") {
    const size = readVarint(page, position, usable);
    if (!size) return null;
    [length, position] = size;
  }
  let rowid = 0;
  if (kind === "table") {
    const id = readVarint(page, position, usable);
    if (!id) return null;
    [rowid, position] = id;
    if (!isLeaf) return { rowid, payload: { local: new Uint8Array(), length: 0, overflow: 0 } };
  }
  const most = kind === "table" ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const surplus = least + ((length - least) % (usable - 4));
  const here = length <= most ? length : surplus <= most ? surplus : least;
  const hasMore = here < length;
  const end = position + here + (hasMore ? 4 : 0);
  // An overflow chain cannot be longer than the file.
  if (length < 1 || end > usable || length > pages.count * usable) return null;
  const overflow = hasMore ? page.view.getUint32(position + here) : 0;
  if (hasMore && (overflow < 2 || overflow > pages.count)) return null;
  return { rowid, payload: { local: page.bytes.subarray(position, position + here), length, overflow } };
}

/** Null also for numbers that no JavaScript number has. */
function readVarint({ bytes }: Page, start: number, end: number): [value: number, next: number] | null {
  let value = 0n;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[start + index];
    if (byte === undefined || start + index >= end) return null;
    value = index === 8 ? (value << 8n) | BigInt(byte) : (value << 7n) | BigInt(byte & 0x7f);
    if (index < 8 && byte >= 0x80) continue;
    const number = Number(BigInt.asIntN(64, value));
    return Number.isSafeInteger(number) ? [number, start + index + 1] : null;
  }
  return null;
}

/**
 * The values of a row or an index entry. `isCut`: those after them are on pages that are damaged. `mended`: the places of texts
 * with a few bytes that are none.
 */
export type Record = { values: Value[]; count: number; isCut: boolean; mended: number[] };

/** Null if it is not a record. `isNode` says which pages cannot have the rest of a long one. */
export function readRecord(pages: Pages, payload: Payload, isNode: (page: number) => boolean): Record | null {
  const bytes = readPayload(pages, payload, isNode);
  const page = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
  const head = readVarint(page, 0, bytes.length);
  if (!head || head[0] > payload.length) return null;
  const types: number[] = [];
  for (let at = head[1]; at < head[0];) {
    const type = readVarint(page, at, bytes.length);
    if (!type || type[0] < 0 || type[0] === 10 || type[0] === 11) return null;
    types.push(type[0]);
    at = type[1];
    if (at > head[0]) return null;
  }
  if (head[0] + types.reduce((sum, type) => sum + lengthOf(type), 0) !== payload.length) return null;
  const [values, mended]: [Value[], number[]] = [[], []];
  const record = { values, mended, count: types.length };
  let at = head[0];
  for (const type of types) {
    const length = lengthOf(type);
    if (at + length > bytes.length) return { ...record, isCut: true };
    const value = readValue(page, at, type);
    if (value === undefined) return payload.overflow === 0 ? null : { ...record, isCut: true };
    if (typeof value === "string" && isBroken(bytes.subarray(at, at + length))) mended.push(values.length);
    values.push(value);
    at += length;
  }
  return { ...record, isCut: false };
}

/** As many of its bytes as can be read. */
function readPayload(
  pages: Pages,
  { local, length, overflow }: Payload,
  isNode: (page: number) => boolean,
): Uint8Array {
  if (overflow === 0) return local;
  const bytes = new Uint8Array(length);
  bytes.set(local);
  let done = local.length;
  for (let next = overflow; done < length;) {
    const page = isNode(next) ? null : pages.read(next);
    if (!page) break;
    next = page.view.getUint32(0);
    const part = Math.min(pages.usable - 4, length - done);
    const isLast = done + part === length;
    // The last page of a chain names no other, and every other one does.
    if (isLast ? next !== 0 : next < 2 || next > pages.count) break;
    bytes.set(page.bytes.subarray(4, 4 + part), done);
    done += part;
  }
  return bytes.subarray(0, done);
}

const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;
const lengthOf = (type: number): number => lengths[type] ?? Math.floor((type - 12) / 2);

const text = new TextDecoder("utf-8", { ignoreBOM: true });
const replacement = "\ufffd";

/** No text of ours has a character 0, or bytes that are not UTF-8. */
const isBroken = (bytes: Uint8Array): boolean => bytes.includes(0) || !isUtf8(bytes);

/** With U+FFFD for bytes that are damaged. Undefined if these are many: something else has overwritten the text. */
function readText(bytes: Uint8Array): string | undefined {
  const read = text.decode(bytes);
  if (!isBroken(bytes)) return read;
  const mended = read.replaceAll("\0", replacement);
  return mended.split(replacement).length - 1 <= 3 + bytes.length / 100 ? mended : undefined;
}

function readValue({ bytes, view }: Page, at: number, type: number): Value | undefined {
  if (type === 0) return null;
  if (type === 7) return view.getFloat64(at);
  if (type === 8 || type === 9) return type - 8;
  const part = bytes.subarray(at, at + lengthOf(type));
  if (type < 7) {
    const number = Number(
      BigInt.asIntN(
        part.length * 8,
        part.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
      ),
    );
    return Number.isSafeInteger(number) ? number : undefined;
  }
  // No table of ours has values of bytes.
  return type % 2 === 0 ? undefined : readText(part);
}
