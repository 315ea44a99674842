import { createHasher } from "../../../src/platform/hash.ts";
import { type Remote, RemoteDamage, RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { DamagedEntry, UnusableEntry } from "../../../src/platform/archives/tree.ts";
import type { SourceOptions } from "../../format/job.ts";
import { ServerGone } from "../../../src/platform/pipes/failures.ts";
import type { Item } from "../items.ts";

/** A program that was recognised on another server. */
export type ServerKind = {
  kind: "immich" | "vitrine" | "webdav";
  /** What people call it, and the directory for its files. */
  title: string;
  /** Whether photos are always made of its pictures. */
  alwaysHasPhotos: boolean;
  /** Asks for little, to find out whether the key is accepted. */
  check(): Promise<unknown>;
  list(options: SourceOptions): AsyncIterable<Item>;
};

/** The server cannot be read any more. */
export const endOf = (error: unknown): ServerGone =>
  new ServerGone((error as Error).message, error instanceof RemoteError && [401, 403].includes(error.status ?? 0));

type Checksum = { algorithm: "sha1" | "sha256"; digest: string; encoding: "base64" | "hex" };

/** The bytes of a file, compared with its checksum if the server has one. */
export async function* readFile(remote: Remote, path: string, size: number | null, checksum: Checksum | null) {
  const hasher = checksum && createHasher(checksum.algorithm);
  try {
    for await (const chunk of remote.download(path, size)) {
      hasher?.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RemoteDamage) throw new DamagedEntry(error.message);
    if (!(error instanceof RemoteError)) throw error;
    // Without a response, or with a key that has expired, all other files would fail as well.
    throw error.status === null || error.status === 401
      ? endOf(error)
      : new UnusableEntry(error.message, { cause: error });
  }
  if (hasher && checksum && hasher.digest(checksum.encoding) !== checksum.digest)
    throw new DamagedEntry("Its bytes are not those of its checksum.");
}
