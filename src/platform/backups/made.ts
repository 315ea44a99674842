import { join } from "node:path";
import { spool, type Spooled } from "../blobs/spool.ts";
import { type Trouble, troubleOf } from "../disk-errors.ts";
import { unwatchedDisk } from "../disk.ts";
import { Problem } from "../errors.ts";
import { hashOf } from "../hash.ts";

/** A file without a name. */
export type Made = Pick<Spooled, "path" | "size" | "sha256">;
export type Bytes = AsyncIterable<Uint8Array> | Uint8Array[];

/** Writes bytes to a new file in this directory, which is a part of `place`, and flushes it. */
export const makeFile = (directory: string, bytes: Bytes, place = directory): Promise<Made> =>
  spool(directory, bytes, { isFlushed: true, disk: { ...unwatchedDisk, explain: (error) => explain(error, place) } });

const troubles: Record<Trouble, string> = {
  full: "is full: make space there",
  readOnly: "is read-only",
  missing: "is no longer there",
  failing: "reports errors",
};

/** It need not be the disk of the site. */
function explain(error: unknown, place: string): unknown {
  const trouble = error instanceof Problem ? null : troubleOf(error);
  const code = trouble === "full" ? "full" : "unavailable";
  return trouble ? new Problem(code, `The disk of ${place} ${troubles[trouble]}.`) : error;
}

/** The name of a file that does not exist yet. */
export const newPath = (directory: string): string => join(directory, crypto.randomUUID());

/** A file that was written by somebody else; null if there is none. */
export async function measureFile(path: string): Promise<Made | null> {
  const file = Bun.file(path);
  return (await file.exists()) ? { path, size: file.size, sha256: await hashOf(file.stream()) } : null;
}
