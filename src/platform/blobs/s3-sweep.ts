import type { FindUsed } from "./blobs.ts";
import type { S3 } from "./s3-calls.ts";
import { elements, textOf } from "./s3-xml.ts";

/** The notice that a sweep puts up: the names of the blobs that it is about to remove, one in a line. */
const noticeKey = "sweeping";
/** So few at a time that whoever wants to keep one of them has to wait for a second or two only. */
const namesInNotice = 50;
/** A notice older than this was left by a sweep that died: whatever it asked for has happened by now, or never will. */
const staleNotice = 10 * 60_000;

/*
 * Why no blob is lost when one process keeps what another sweeps. S3 cannot remove an object "only if it is old", so both
 * sides leave a trace first and look for the other's trace then, and every object reads as it was last written:
 *
 *   a sweep   1. puts up the notice  2. looks at the blob's age  3. removes it if it is old  4. takes the notice down
 *   a keeper  1. writes the blob     2. waits until no notice names it  3. looks whether it is there, and young
 *
 * If the keeper writes before the sweep looks, the sweep sees a young blob and leaves it. If it writes later, the notice is
 * up already: the keeper waits until the removal is over, sees that the blob is gone, and writes it again. A removal with
 * an unknown outcome ends the sweep and leaves the notice up, until it is stale. The caller runs one sweep at a time.
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
  // A day, where youth is an hour.
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
      // Once: a second try, after a first that went through unheard, would not know whose blob it removes.
      await s3.call({ method: "DELETE", key, tries: 1 });
      count++;
    }
    await s3.call({ method: "DELETE", key: noticeKey });
    return count;
  }
}

/** Does a sweep say that it is about to remove this blob? */
export async function isBeingSwept(s3: S3, sha256: string): Promise<boolean> {
  return (await readNotice(s3))?.split("\n").includes(sha256) ?? false;
}

async function readNotice(s3: S3): Promise<string | null> {
  const notice = await s3.call({ method: "GET", key: noticeKey });
  const text = await notice.text();
  return notice.status === 404 || ageOf(notice.headers) > staleNotice ? null : text;
}

export const keyOf = (prefix: string, sha256: string) => `${prefix}${sha256.slice(0, 2)}/${sha256}`;
const nameOf = (key: string) => key.slice(key.lastIndexOf("/") + 1);

/** By the store's own clock on both ends, so that ours need not be right. */
export function ageOf(headers: Headers, time = headers.get("last-modified") ?? ""): number {
  return (Date.parse(headers.get("date") ?? "") || Date.now()) - Date.parse(time);
}

/** What was made of a blob can be made again: where none is known any more, or it is outdated, it goes without ceremony. */
export async function sweepDerived(
  s3: S3,
  prefix: string,
  findUsed: FindUsed,
  isOutdated: (name: string) => boolean,
): Promise<void> {
  for await (const objects of listObjects(s3, prefix)) {
    const blobOf = (key: string) => nameOf(key.slice(0, key.lastIndexOf("/")));
    const used = await findUsed([...new Set(objects.map(({ key }) => blobOf(key)))]);
    for (const { key } of objects)
      if (!used.has(blobOf(key)) || isOutdated(nameOf(key))) await s3.call({ method: "DELETE", key });
  }
}

async function* listObjects(s3: S3, prefix: string): AsyncGenerator<{ key: string; age: number }[]> {
  for (let last = ""; ;) {
    const query = { "list-type": "2", prefix, ...(last && { "start-after": last }) };
    const response = await s3.call({ method: "GET", key: "", query });
    const page = elements(await response.text(), "Contents").map((element) => {
      return { key: textOf(element, "Key"), age: ageOf(response.headers, textOf(element, "LastModified")) };
    });
    yield page;
    const next = page.at(-1)?.key;
    if (next === undefined || next <= last) return;
    last = next;
  }
}

/** Parts of uploads that were never completed cost money and are in no list of objects. */
async function abortUploads(s3: S3, prefix: string, patience: number): Promise<void> {
  for (let marker: Record<string, string> = {}; ;) {
    const response = await s3.call({ method: "GET", key: "", query: { uploads: "", prefix, ...marker } });
    const text = await response.text();
    for (const element of elements(text, "Upload")) {
      const [key, uploadId] = [textOf(element, "Key"), textOf(element, "UploadId")];
      const isOld = ageOf(response.headers, textOf(element, "Initiated")) > patience;
      if (isOld) await s3.call({ method: "DELETE", key, query: { uploadId } });
    }
    if (textOf(text, "IsTruncated") !== "true") return;
    marker = { "key-marker": textOf(text, "NextKeyMarker"), "upload-id-marker": textOf(text, "NextUploadIdMarker") };
  }
}
