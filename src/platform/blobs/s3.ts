import { rm } from "node:fs/promises";
import { type Disk, unwatchedDisk } from "../disk.ts";
import { type Blobs, chunksOf } from "./blobs.ts";
import { type Patience, patienceOfUpload } from "./s3-busy.ts";
import { connectS3, refused } from "./s3-calls.ts";
import { checkBucket } from "./s3-check.ts";
import { ageOf } from "./s3-list.ts";
import type { S3Options } from "./s3-options.ts";
import { isBeingSwept, keyOf, sweepDerived, sweepS3 } from "./s3-sweep.ts";
import { upload } from "./s3-upload.ts";
import { spool, type Spooled } from "./spool.ts";
import { openSpoolDirectory } from "./spool-directory.ts";

const hour = 3_600_000;
const prefix = "blobs/";
const derivedPrefix = "derived/";
const place = (sha256: string) => keyOf(prefix, sha256);
/** With each derived file, whose name does not tell its bytes. */
const checksumHeader = "x-amz-meta-crc32";
const checksumOf = (bytes: Uint8Array) => Bun.hash.crc32(bytes).toString(16);
const derivedPlace = (sha256: string, name: string) => `${keyOf(derivedPrefix, sha256)}/${name}`;

/**
 * Blobs are objects `blobs/ab/abcd…`; derived files are `derived/ab/abcd…/name`. Received bytes are first written to a
 * file below `spoolRoot`, because the name of the object is known only at the end, and because a request can be retried
 * only from a file. Several processes may share `spoolRoot`. `youth` is for tests: a sweep does not remove a blob for
 * so long after a `keep`.
 */
export async function openS3(
  options: S3Options,
  spoolRoot: string,
  { youth = hour, disk = unwatchedDisk }: { youth?: number; disk?: Disk } = {},
): Promise<Blobs> {
  const s3 = connectS3(options);
  await checkBucket(s3, options);
  const spoolDirectory = await openSpoolDirectory(spoolRoot);

  return {
    async receive(stream) {
      const file = await spool(spoolDirectory.path, stream, { isFlushed: false, disk });
      const { sha256, size, head } = file;
      const discard = () => rm(file.path, { force: true });
      return { sha256, size, head, keep: (moved) => keep(file, moved).then(discard), discard };
    },

    open,

    async withLocalFile(sha256, work) {
      const bytes = await open(sha256);
      if (!bytes) return null;
      const file = await spool(spoolDirectory.path, chunksOf(bytes), { isFlushed: false, disk });
      try {
        return file.sha256 === sha256 ? await work(file.path) : null;
      } finally {
        await rm(file.path, { force: true });
      }
    },

    async openDerived(sha256, name) {
      const response = await s3.call({ method: "GET", key: derivedPlace(sha256, name) });
      const bytes = await response.bytes();
      // One that was damaged is made again.
      const isWhole = response.ok && response.headers.get(checksumHeader) === checksumOf(bytes);
      return isWhole ? { bytes: new Blob([bytes]), size: bytes.length } : null;
    },

    async keepDerived(sha256, name, bytes) {
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      const body = { bytes: new Blob([bytes]), sha256: hash };
      const headers = { [checksumHeader]: checksumOf(bytes) };
      await s3.call({ method: "PUT", key: derivedPlace(sha256, name), headers, body });
    },

    async removeDerived(sha256, name) {
      await s3.call({ method: "DELETE", key: derivedPlace(sha256, name) });
    },

    has,
    sizeOf,

    signedOrigin: s3.origin,

    signedURL(sha256, { contentType, disposition, seconds }) {
      const query = { "response-content-type": contentType, "response-content-disposition": disposition };
      return s3.signURL(place(sha256), seconds, query);
    },

    // Another process may be about to use one of them. Only the sweep can tell, by the age of the blob.
    async removeUnused() {},

    async sweep(findUsed, isOutdated = () => false) {
      const removed = await sweepS3(s3, prefix, youth, findUsed);
      return { removed, derived: await sweepDerived(s3, derivedPrefix, findUsed, isOutdated) };
    },

    close: spoolDirectory.release,
  };

  /** s3-sweep.ts explains why this is safe during a sweep. */
  async function keep(file: Spooled, moved?: () => void): Promise<void> {
    const patience = patienceOfUpload();
    const send = () => upload(s3, place(file.sha256), file, { moved, patience });
    if (!(await isThere(file, patience))) await send();
    for (let tries = 1; !(await isKept(file, patience)); tries++) {
      if (tries === 4) throw refused(`${place(file.sha256)} does not exist after it was written`);
      await send();
    }
  }

  async function isKept(file: Spooled, patience: Patience): Promise<boolean> {
    for (let waits = 1; await isBeingSwept(s3, file.sha256, patience); waits++) {
      if (waits === 20) throw refused(`a sweep keeps the notice for ${place(file.sha256)}`);
      await Bun.sleep(500);
    }
    return isThere(file, patience);
  }

  /** Exists, is complete, and is so recent that its row will be written long before a sweep can remove it. */
  async function isThere({ sha256, size }: Spooled, patience: Patience): Promise<boolean> {
    const { status, headers } = await s3.call({ method: "HEAD", key: place(sha256), patience });
    return status !== 404 && Number(headers.get("content-length")) === size && ageOf(headers) < youth / 2;
  }

  async function open(...[sha256, range, size]: Parameters<Blobs["open"]>): ReturnType<Blobs["open"]> {
    if (range && range.end <= range.start) return (await has(sha256)) ? new Blob() : null;
    const headers: Record<string, string> = range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {};
    const response = await s3.call({ method: "GET", key: place(sha256), headers });
    const isWhole = size === undefined || (wholeSize(response) ?? size) === size;
    if (response.ok && isWhole && response.status === (range ? 206 : 200)) return response.body ?? new Blob();
    await response.body?.cancel();
    // A range that begins after the end of the object has status 416.
    if (response.status === 404 || (response.ok && !isWhole)) return null;
    throw refused(`GET ${place(sha256)}: ${response.status} to a request for ${range ? "a range" : "all"}`);
  }

  async function has(sha256: string): Promise<boolean> {
    return (await sizeOf(sha256)) !== null;
  }

  async function sizeOf(sha256: string): Promise<number | null> {
    const { status, headers } = await s3.call({ method: "HEAD", key: place(sha256) });
    return status === 404 ? null : Number(headers.get("content-length"));
  }
}

/** The size of the object, of which the response may have a part: `bytes 0-99/1000`; null if a proxy has removed it. */
function wholeSize({ status, headers }: Response): number | null {
  const text = status === 206 ? headers.get("content-range")?.split("/")[1] : headers.get("content-length");
  return text ? Number(text) : null;
}
