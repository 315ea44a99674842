import { setImmediate } from "node:timers/promises";
import { missing } from "../../platform/errors.ts";
import { openClean } from "../../core/images/clean.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Slices } from "../../platform/database/slices.ts";
import type { Stream } from "../../platform/http/content.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { late } from "../../platform/once.ts";
import { attachment } from "./content.ts";
import type { StoredFile } from "./file.ts";
import { nameKey, addNumber } from "./names.ts";
import { toDirectory } from "./rows.ts";
import { listDirectory } from "./store.ts";

const loadZip = late(() => import("client-zip"));

/** Whose files are read, and how. */
type Reading = { db: Reader; viewer: Viewer; open: Opener };

/** How many files or photos an archive of chosen ones can be asked for: their ids are part of the address. */
export const maxChosen = 500;

/** The archive is created while it is sent; it is never complete in memory or on disk. */
export function zipDirectory(reading: Reading, directory: StoredFile): Promise<Stream> {
  return toArchive(directory.name, listBelow(reading, directory, safeName(directory.name)));
}

/** An archive of files and directories from anywhere, in one folder. A number is added to equal names. */
export function zipFiles(reading: Reading, name: string, files: Slices<StoredFile>): Promise<Stream> {
  return toArchive(name, listInside(reading, files, safeName(name)));
}

async function* listBelow(reading: Reading, directory: StoredFile, path: string): AsyncGenerator<Entry> {
  yield { name: `${path}/` };
  yield* listInside(reading, listDirectory(reading.db, reading.viewer, toDirectory(directory)), path);
}

async function* listInside(reading: Reading, slices: Slices<StoredFile>, path: string): AsyncGenerator<Entry> {
  const unique = createUniqueNames();
  for await (const files of slices) {
    for (const file of files) {
      const name = `${path}/${unique(file.name)}`;
      if (file.isDirectory) yield* listBelow(reading, file, name);
      else yield await toEntry(reading.open, file, name);
    }
  }
}

/** Returns names that are unique in one folder on every operating system, with a bounded number of attempts each. */
function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return (typed) => {
    const first = safeName(typed);
    let name = first;
    let number = lastNumbers.get(nameKey(first)) ?? 0;
    while (taken.has(nameKey(name))) name = addNumber(first, ++number);
    lastNumbers.set(nameKey(first), number);
    taken.add(nameKey(name));
    return name;
  };
}

/** Windows removes spaces and dots at the end of a name, so ".. " would lead out of the folder, and "C:" is a drive. */
function safeName(name: string): string {
  const shown = name.replace(/(?<![. ])[. ]+$/, "").replaceAll(":", "_");
  return shown || "_";
}

type Entry = { name: string; lastModified?: Date; input?: Blob | ReadableStream<Uint8Array>; size?: number };

/** Opens the bytes of a file for an archive; null if the viewer may not download the file. */
export type Opener = (
  file: StoredFile,
) => Promise<{ input: Blob | ReadableStream<Uint8Array> | null; size: number } | null>;

/** An archive contains the bytes that the viewer can download of each file. */
export function createOpener(blobs: Blobs, images: Images, viewer: Viewer): Opener {
  return async (file) => {
    const shown = isOwnerOrAdmin(viewer, file) ? "all" : await images.readPublic(file);
    if (shown === "none") return null;
    const clean = shown === "all" ? null : shown;
    return {
      input: await openClean(blobs, { sha256: file.sha256 ?? "", size: file.size }, clean),
      size: (clean ?? file).size,
    };
  };
}

async function toEntry(open: Opener, file: StoredFile, name: string): Promise<Entry> {
  // Small files are read without waiting: let other requests run between them.
  await setImmediate();
  const opened = await open(file);
  if (!opened) return { name: `${name}${noteSuffix}`, input: new Blob([withheldNote]) };
  // The download must fail if a file is missing, not omit it silently.
  if (!opened.input) throw missing(`content for file ${file.id}: its bytes are missing from the storage or damaged`);
  return { name, lastModified: new Date(file.updatedAt), input: opened.input, size: opened.size };
}

/** The note that replaces a file which the viewer may not download. */
const noteSuffix = " (not included).txt";
const withheldNote =
  "Only the owner and admins can download this file: it may contain private data that cannot be removed.\n";

async function toArchive(name: string, entries: AsyncGenerator<Entry>): Promise<Stream> {
  // Its loop over a table, run at the start, would make the runtime compile the whole bundle.
  const { makeZip } = await loadZip();
  return {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": attachment(`${name}.zip`),
      "Cache-Control": "no-store",
    },
    body: makeZip(entries as AsyncGenerator<Entry & { input: Blob }>),
  };
}
