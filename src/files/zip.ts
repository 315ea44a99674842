import { setImmediate } from "node:timers/promises";
import { makeZip } from "client-zip";
import { missing } from "../errors.ts";
import { openClean } from "../images/clean.ts";
import type { Images } from "../images/read.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Reader } from "../platform/database/database.ts";
import type { Slices } from "../platform/database/slices.ts";
import { corsHeaders } from "../platform/http/answer.ts";
import { isOwnerOrAdmin, type Viewer } from "../platform/http/route.ts";
import { attachment } from "./content.ts";
import type { StoredFile } from "./file.ts";
import { nameKey, numbered } from "./names.ts";
import { inside } from "./rows.ts";
import { listDirectory } from "./store.ts";

/** Made while it is read: nothing of it is ever whole in memory or on disk. */
export function zipDirectory(db: Reader, open: Opener, directory: StoredFile): Response {
  return answer(directory.name, below(db, open, directory, safeName(directory.name)));
}

/** Files from anywhere, side by side: equal names get a number. */
export function zipFiles(open: Opener, name: string, files: Slices<StoredFile>): Response {
  return answer(name, sideBySide(open, safeName(name), files));
}

async function* below(db: Reader, open: Opener, directory: StoredFile, path: string): AsyncGenerator<Entry> {
  yield { name: `${path}/` };
  const unique = createUniqueNames();
  for await (const files of listDirectory(db, inside(directory))) {
    for (const file of files) {
      const name = `${path}/${unique(file.name)}`;
      if (file.isDirectory) yield* below(db, open, file, name);
      else yield await toEntry(open, file, name);
    }
  }
}

async function* sideBySide(open: Opener, folder: string, slices: Slices<StoredFile>): AsyncGenerator<Entry> {
  const unique = createUniqueNames();
  for await (const files of slices) {
    for (const file of files) yield await toEntry(open, file, `${folder}/${unique(file.name)}`);
  }
}

/** Names that can lie side by side in one folder on every system. Each is looked at a bounded number of times. */
function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return (typed) => {
    const first = safeName(typed);
    let name = first;
    let number = lastNumbers.get(nameKey(first)) ?? 0;
    while (taken.has(nameKey(name))) name = numbered(first, ++number);
    lastNumbers.set(nameKey(first), number);
    taken.add(nameKey(name));
    return name;
  };
}

/** Windows drops blanks and dots at the end of a name, so that ".. " would lead out of the folder, and "C:" is a drive. */
function safeName(name: string): string {
  const shown = name.replace(/(?<![. ])[. ]+$/, "").replaceAll(":", "_");
  return shown || "_";
}

type Entry = { name: string; lastModified?: Date; input?: Blob | ReadableStream<Uint8Array>; size?: number };

/** The bytes of a file that go into an archive; null where whoever reads it may not have them. */
type Opener = (file: StoredFile) => Promise<{ input: Blob | ReadableStream<Uint8Array> | null; size: number } | null>;

/** An archive holds the bytes that the viewer gets of each file. */
export function createOpener(blobs: Blobs, images: Images, viewer: Viewer): Opener {
  return async (file) => {
    const shown = isOwnerOrAdmin(viewer, file) ? "all" : await images.readPublic(file);
    if (shown === "none") return null;
    const clean = shown === "all" ? null : shown;
    return { input: await openClean(blobs, file.sha256 ?? "", clean), size: (clean ?? file).size };
  };
}

async function toEntry(open: Opener, file: StoredFile, name: string): Promise<Entry> {
  // Small files come without any waiting: other requests get their turn between them.
  await setImmediate();
  const opened = await open(file);
  if (!opened) return { name: `${name}${leftOut}`, input: new Blob([withheldNote]) };
  // Better no archive than one in which a file is silently missing.
  if (!opened.input) throw missing(`content for file ${file.id}: its bytes are lost from the storage`);
  return { name, lastModified: new Date(file.updatedAt), input: opened.input, size: opened.size };
}

/** Takes the place of a file that is left out. */
const leftOut = " (not included).txt";
const withheldNote = "Only its owner can download this file: it may contain private data that cannot be removed.\n";

function answer(name: string, entries: AsyncGenerator<Entry>): Response {
  return new Response(makeZip(entries as AsyncGenerator<Entry & { input: Blob }>), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": attachment(`${name}.zip`),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      ...corsHeaders,
    },
  });
}
