import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Problem } from "../errors.ts";
import { noteProgress } from "../progress.ts";
import type { StoredBytes } from "./stored-bytes.ts";
import { isLeftover, splitArchivePath, type Tree, type TreeEntry, UnusableEntry, UnusableTree } from "./tree.ts";

const blockBytes = 512;
const chunkBytes = 2 ** 18;
/** Names and numbers of one file; more is no honest archive. */
const longestHeader = 2 ** 20;

type Header = { name: string; size: number; modifiedAt: number; type: string };
/** What an entry before a file says of it. */
type Said = { path?: string | undefined; size?: number | undefined };

/** An archive may grow by so much, and one that was uploaded by less: more is no honest archive. */
const [mostGrowth, mostUploadedGrowth] = [200, 20];
const alwaysAllowed = 2 ** 26;

/**
 * A tar archive. One that is compressed is decompressed to a file first, because its files are read in another order than
 * they lie in it; so is one that does not lie on this machine.
 */
export async function openTar(archive: string | StoredBytes, isCompressed: boolean): Promise<Tree> {
  const isLocal = typeof archive === "string";
  const path = isLocal ? archive : archive.name;
  const scratch = isLocal && !isCompressed ? null : await mkdtemp(join(tmpdir(), "vitrine-tar-"));
  const plain = scratch ? join(scratch, "archive.tar") : path;
  const remove = async () => {
    if (scratch) await rm(scratch, { recursive: true, force: true });
  };
  let failure: string | null = null;
  if (scratch) {
    const packed = isLocal ? createReadStream(archive) : Readable.from(archive.read(0, archive.size));
    const growth = isLocal ? (await stat(archive)).size * mostGrowth : archive.size * mostUploadedGrowth;
    const most = growth + alwaysAllowed;
    failure = await unpack(packed, isCompressed, plain, most).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
  }
  const file = await open(plain, "r");
  const close = async () => {
    await file.close();
    await remove();
  };
  const first = await readBlock(file, 0);
  if (!first || !hasChecksum(first)) {
    await close();
    throw new UnusableTree(`It is not a tar archive${failure ? `: ${failure}` : "."}`);
  }
  return {
    name: basename(path).replace(/\.(tar|tgz|tar\.gz)$/i, ""),
    async *list() {
      yield* listEntries(file);
      if (failure) yield { path: basename(path), reason: `It is cut off or damaged: ${failure}` };
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Everything up to the first error; returns what that was. */
async function unpack(packed: Readable, isCompressed: boolean, to: string, most: number): Promise<string | null> {
  await using file = await open(to, "w");
  let size = 0;
  try {
    const gunzip = createGunzip();
    // `pipe` does not pass errors on.
    if (isCompressed) packed.on("error", (error) => gunzip.destroy(error)).pipe(gunzip);
    for await (const chunk of (isCompressed ? gunzip : packed) as AsyncIterable<Uint8Array>) {
      noteProgress();
      size += chunk.length;
      if (size > most) return "It is much larger than an archive of this size should be.";
      await file.write(chunk);
    }
    return null;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return (error as Error).message;
  } finally {
    packed.destroy();
  }
}

async function* listEntries(file: FileHandle): AsyncGenerator<TreeEntry> {
  const { size: length } = await file.stat();
  let said: Said = {};
  let offset = 0;
  for (;;) {
    const block = await readBlock(file, offset);
    // Two empty blocks are the end.
    if (!block || block.every((byte) => byte === 0)) return;
    if (!hasChecksum(block)) return yield { path: "", reason: "The archive is damaged: what follows cannot be read." };
    const header = readHeader(block);
    const start = offset + blockBytes;
    const size = said.size ?? header.size;
    const isMeta = "xgLK".includes(header.type);
    // With any other number, the same place might be read again and again.
    if (!Number.isSafeInteger(size) || size < 0 || (isMeta && header.size > longestHeader))
      return yield { path: header.name, reason: "The archive is damaged: what follows cannot be read." };
    if (isMeta) said = { ...said, ...readSaid(header.type, await readAll(file, start, header.size)) };
    else {
      const entry = toEntry(file, { ...header, name: said.path ?? header.name, size }, { start, length });
      if (entry) yield entry;
      said = {};
    }
    offset = start + Math.ceil((isMeta ? header.size : size) / blockBytes) * blockBytes;
  }
}

/** Null for the top, and for what systems leave behind. */
function toEntry(
  file: FileHandle,
  { name, size, modifiedAt, type }: Header,
  { start, length }: { start: number; length: number },
): TreeEntry | null {
  const path = splitArchivePath(name);
  if (typeof path === "string") return { path: name, reason: path };
  if (path.length === 0 || path.some(isLeftover)) return null;
  if (name.includes("\ufffd")) return { path: path.join("/"), reason: "Its name is not valid UTF-8." };
  if (type === "5") return { path, isDirectory: true };
  if (type === "1" || type === "2") return { path: path.join("/"), reason: "It is a link." };
  if (!["0", "\0", "7"].includes(type))
    return { path: path.join("/"), reason: "It is neither a file nor a directory." };
  if (start + size > length) return { path: path.join("/"), reason: "It is cut off." };
  return { path, size, modifiedAt, open: () => readRange(file, start, size) };
}

async function* readRange(file: FileHandle, start: number, size: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < size;) {
    const chunk = new Uint8Array(Math.min(chunkBytes, size - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, start + done);
    if (bytesRead === 0) throw new UnusableEntry("It is cut off.");
    noteProgress();
    yield chunk.subarray(0, bytesRead);
    done += bytesRead;
  }
}

const readAll = async (file: FileHandle, start: number, size: number) =>
  Buffer.concat(await Array.fromAsync(readRange(file, start, size)));

async function readBlock(file: FileHandle, offset: number): Promise<Buffer | null> {
  const block = Buffer.alloc(blockBytes);
  const { bytesRead } = await file.read(block, 0, blockBytes, offset);
  return bytesRead === blockBytes ? block : null;
}

function hasChecksum(block: Buffer): boolean {
  const sum = block.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte), 0);
  return sum === readNumber(block.subarray(148, 156));
}

function readHeader(block: Buffer): Header {
  const prefix = readText(block.subarray(257, 262)) === "ustar" ? readText(block.subarray(345, 500)) : "";
  const name = readText(block.subarray(0, 100));
  return {
    name: prefix ? `${prefix}/${name}` : name,
    size: readNumber(block.subarray(124, 136)),
    modifiedAt: readNumber(block.subarray(136, 148)) * 1000,
    type: String.fromCharCode(block[156] ?? 0),
  };
}

function readText(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
}

/** Octal digits, or, if the first bit is set, a large number in binary. */
function readNumber(bytes: Buffer): number {
  if ((bytes[0] ?? 0) < 128) return Number.parseInt(readText(bytes).trim() || "0", 8) || 0;
  return bytes.subarray(1).reduce((number, byte) => number * 256 + byte, 0);
}

/** GNU writes a long name as the content of an entry before it; POSIX writes lines such as "24 path=some/name". */
function readSaid(type: string, content: Buffer): Said {
  if (type === "L") return { path: readText(content) };
  if (type !== "x") return {};
  const said: Said = {};
  for (let start = 0; start < content.length;) {
    const length = Number.parseInt(content.toString("latin1", start, start + 12), 10);
    if (!(length > 0)) break;
    const [, name, value = ""] = /^\d+ ([^=]+)=([^]*)\n$/.exec(content.toString("utf8", start, start + length)) ?? [];
    if (name === "path") said.path = value;
    if (name === "size") said.size = Number(value);
    start += length;
  }
  return said;
}
