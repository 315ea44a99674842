import type { FindUsed, Swept } from "./blobs.ts";
import type { Patience } from "./s3-busy.ts";
import type { S3 } from "./s3-calls.ts";
import { ageOf, listObjects } from "./s3-list.ts";
import { elements, textOf } from "./s3-xml.ts";

/** The notice object of a sweep: the names of the blobs that it is about to remove, one per line. */
const noticeKey = "sweeping";
/** Small batches, so that a caller that wants to keep one of the blobs waits for only a second or two. */
const namesInNotice = 50;
/** An older notice was left by a sweep that crashed: its requests have been completed by now, or never will be. */
const staleNotice = 10 * 60_000;

/*
 * Why no blob is lost when one process keeps what another sweeps. S3 cannot remove an object "only if it is old", so
 * each side first leaves a trace and then looks for the trace of the other side. Reads return what was written last.
 *
 * 1. A sweep writes the notice, reads the age of the blob, removes it if it is old, and removes the notice.
 *
 * 2. A caller that keeps a blob writes it, waits until no notice names it, and checks that it exists and is recent.
 *
 * If the caller writes before the sweep reads the age, the sweep sees a recent blob and leaves it. If it writes later,
 * the notice already exists: the caller waits until the removal is complete, sees that the blob is missing, and writes
 * it again. A removal with an unknown outcome ends the sweep and leaves the notice in place until it is stale. Only one
 * sweep may run at a time.
 */
export async function sweepS3(s3: S3, prefix: string, youth: number, findUsed: FindUsed): Promise<number> {
  if ((await readNotice(s3)) !== null) return 0;
  let removed = 0;
  for await (const objects of listObjects(s3, prefix)) {
    const old = objects.filter(({ age }) => age > youth).map(({ key }) => nameOf(key));
    const used = old.length > 0 ? await findUsed(old) : new Set();
    const unused = old.filter((name) => !used.has(name));
    for (let start = 0; start < unused.length; start += namesInNotice) {
      removed += await remove(unused.slice(start, start + namesInNotice));
    }
  }
  // A day if `youth` is an hour.
  await abortUploads(s3, prefix, 24 * youth);
  return removed;

  async function remove(names: string[]): Promise<number> {
    const bytes = names.join("\n");
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    await s3.call({ method: "PUT", key: noticeKey, body: { bytes, sha256 } });
    let count = 0;
    for (const name of names) {
      const key = keyOf(prefix, name);
      const found = await s3.call({ method: "HEAD", key });
      if (found.status === 404 || ageOf(found.headers) <= youth) continue;
      // Only one attempt: if the first one succeeded but its response was lost, a second one could remove a newer blob.
      await s3.call({ method: "DELETE", key, tries: 1 });
      count++;
    }
    await s3.call({ method: "DELETE", key: noticeKey });
    return count;
  }
}

/** Whether a sweep is about to remove this blob. */
export async function isBeingSwept(s3: S3, sha256: string, patience: Patience): Promise<boolean> {
  return (await readNotice(s3, patience))?.split("\n").includes(sha256) ?? false;
}

async function readNotice(s3: S3, patience?: Patience): Promise<string | null> {
  const notice = await s3.call({ method: "GET", key: noticeKey, patience });
  const text = await notice.text();
  return notice.status === 404 || ageOf(notice.headers) > staleNotice ? null : text;
}

export const keyOf = (prefix: string, sha256: string) => `${prefix}${sha256.slice(0, 2)}/${sha256}`;
const nameOf = (key: string) => key.slice(key.lastIndexOf("/") + 1);

/**
 * Derived files can be regenerated, so those that are outdated or whose blob is unknown are removed without a notice.
 */
export async function sweepDerived(
  s3: S3,
  prefix: string,
  findUsed: FindUsed,
  isOutdated: (name: string) => boolean,
): Promise<Swept["derived"]> {
  const left = { count: 0, bytes: 0 };
  for await (const objects of listObjects(s3, prefix)) {
    const blobOf = (key: string) => nameOf(key.slice(0, key.lastIndexOf("/")));
    const used = await findUsed([...new Set(objects.map(({ key }) => blobOf(key)))]);
    for (const { key, size } of objects) {
      if (!used.has(blobOf(key)) || isOutdated(nameOf(key))) await s3.call({ method: "DELETE", key });
      else {
        left.count++;
        left.bytes += size;
      }
    }
  }
  return left;
}

/** The parts of uploads that were never completed cost money and do not appear in object listings. */
async function abortUploads(s3: S3, prefix: string, maxAgeMs: number): Promise<void> {
  for (let marker: Record<string, string> = {}; ;) {
    const response = await s3.call({ method: "GET", key: "", query: { uploads: "", prefix, ...marker } });
    const text = await response.text();
    for (const element of elements(text, "Upload")) {
      const [key, uploadId] = [textOf(element, "Key"), textOf(element, "UploadId")];
      const isOld = ageOf(response.headers, textOf(element, "Initiated")) > maxAgeMs;
      if (isOld) await s3.call({ method: "DELETE", key, query: { uploadId } });
    }
    if (textOf(text, "IsTruncated") !== "true") return;
    marker = { "key-marker": textOf(text, "NextKeyMarker"), "upload-id-marker": textOf(text, "NextUploadIdMarker") };
  }
}
