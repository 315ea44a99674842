import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { Problem } from "../errors.ts";
import { noteProgress } from "../progress.ts";
import { type StoredBytes, StoredReader } from "./stored-bytes.ts";
import { isLeftover, splitArchivePath, type Tree, type TreeEntry, UnusableEntry, UnusableTree } from "./tree.ts";

const unix = 3;
const symbolicLink = 0o12;
const regularFile = 0o10;
/** What would become more than so many times as large is no file of a person. */
const highestRatio = 200;
const fewBytes = 2 ** 26;

/** A zip archive, in the order of its list of contents. */
export async function openZip(archive: string | StoredBytes): Promise<Tree> {
  const path = typeof archive === "string" ? archive : archive.name;
  const options = { autoClose: false, decodeStrings: false };
  const open = () =>
    (typeof archive === "string"
      ? openPromise(archive, options)
      : fromRandomAccessReaderPromise(new StoredReader(archive), archive.size, options)
    ).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      throw new UnusableTree(`It is not a whole zip archive: ${(error as Error).message}`);
    });
  const files: ZipFile[] = [await open()];
  return {
    name: basename(path).replace(/\.zip$/i, ""),
    async *list() {
      // Each can be listed only once.
      const zip = files.length === 1 && files[0] ? files[0] : await open();
      files.push(zip);
      let claimed = 0;
      try {
        for await (const entry of zip.eachEntry()) {
          // Entries that share their bytes can claim any size.
          claimed += entry.compressedSize;
          if (claimed > zip.fileSize) throw new Error("it claims more bytes than the archive has.");
          const found = toTreeEntry(zip, entry);
          if (found) yield found;
        }
      } catch (error) {
        if (error instanceof Problem) throw error;
        yield { path: basename(path), reason: `Its list of contents is damaged: ${(error as Error).message}` };
      }
    },
    async [Symbol.asyncDispose]() {
      for (const file of new Set(files)) file.close();
    },
  };
}

/** Null for the top, and for what systems leave behind. */
function toTreeEntry(zip: ZipFile, entry: Entry): TreeEntry | null {
  const { fileNameRaw, generalPurposeBitFlag, extraFields, uncompressedSize: size } = entry;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  const path = splitArchivePath(name);
  if (typeof path === "string") return { path: name, reason: path };
  if (path.length === 0 || path.some(isLeftover)) return null;
  if (name.endsWith("/")) return { path, isDirectory: true };
  const refuse = (reason: string) => ({ path: path.join("/"), reason });
  if (name.includes("\ufffd")) return refuse("Its name is not valid UTF-8.");
  const type = entry.versionMadeBy >>> 8 === unix ? entry.externalFileAttributes >>> 28 : 0;
  if (type === symbolicLink) return refuse("It is a symbolic link.");
  if (type !== 0 && type !== regularFile) return refuse("It is neither a file nor a directory.");
  if (entry.isEncrypted()) return refuse("It is encrypted.");
  if (!entry.canDecodeFileData()) return refuse("It is compressed in a way that is not supported.");
  if (size > fewBytes && size > highestRatio * entry.compressedSize)
    return refuse(`It would become more than ${highestRatio} times as large as it is in the archive.`);
  const modifiedAt = entry.getLastModDate({ timezone: "UTC" }).getTime();
  return { path, size, modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt, open: () => read(zip, entry) };
}

async function* read(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      noteProgress();
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    // The storage cannot be reached: the archive may be fine.
    if (error instanceof Problem) throw error;
    throw new UnusableEntry(`It is damaged: ${(error as Error).message}`);
  }
  if (sum !== entry.crc32) throw new UnusableEntry("It is damaged: its checksum is wrong.");
}
