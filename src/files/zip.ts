import { makeZip } from "client-zip";
import { missing } from "../errors.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Reader } from "../platform/database/database.ts";
import { corsHeaders } from "../platform/http/answer.ts";
import { attachment } from "./content.ts";
import type { File } from "./file.ts";
import { nameKey, numbered } from "./names.ts";
import { listDirectory } from "./store.ts";

/** Made while it is read: nothing of it is ever whole in memory or on disk. */
export function zipDirectory(db: Reader, blobs: Blobs, directory: File): Response {
  return answer(directory.name, makeZip(below(db, blobs, directory.id, directory.name)));
}

/** Files from anywhere, side by side: equal names get a number. */
export function zipFiles(blobs: Blobs, name: string, files: File[]): Response {
  return answer(name, makeZip(sideBySide(blobs, name, files)));
}

async function* below(db: Reader, blobs: Blobs, id: number, path: string): AsyncGenerator<Entry> {
  yield { name: `${path}/` };
  for (const file of await listDirectory(db, id)) {
    if (file.isDirectory) yield* below(db, blobs, file.id, `${path}/${file.name}`);
    else yield await toEntry(blobs, file, `${path}/${file.name}`);
  }
}

async function* sideBySide(blobs: Blobs, folder: string, files: File[]): AsyncGenerator<Entry> {
  const taken = new Set<string>();
  for (const file of files) {
    let { name } = file;
    for (let number = 1; taken.has(nameKey(name)); number++) name = numbered(file.name, number);
    taken.add(nameKey(name));
    yield await toEntry(blobs, file, `${folder}/${name}`);
  }
}

type Entry = { name: string; lastModified?: Date; input?: Blob | ReadableStream<Uint8Array>; size?: number };

async function toEntry(blobs: Blobs, file: File, name: string): Promise<Entry & { input: Blob }> {
  const input = await blobs.open(file.sha256 ?? "");
  // Better no archive than one in which a file is silently missing.
  if (!input) throw missing(`content for file ${file.id}: its bytes are lost from the storage`);
  return { name, lastModified: new Date(file.updatedAt), input: input as Blob, size: file.size };
}

function answer(name: string, stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": attachment(`${name}.zip`),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      ...corsHeaders,
    },
  });
}
