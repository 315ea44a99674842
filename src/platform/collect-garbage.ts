// Every explicit garbage collection, with the measurement that justifies it. The runtime also collects by itself; one more
// collection stands here only if a server needs clearly more memory without it.

const collectEvery = 8 * 2 ** 20;
let sentSinceCollection = 0;

/**
 * Long texts that were sent pile up when clients read fast. Ten clients that read a list of 50 MB of posts at the same time:
 * 119 and 128 MiB more than before, 418 without this. The collection blocks the event loop, because one beside it does not keep
 * up. With 50 such clients, 148 MiB more while they read, and 207 if 16 MiB are sent between collections. With 50 that read an album
 * of 10,000 photos, 101 MiB more, and 172 if slices of less than 64 KiB are not counted. It makes no difference for uploads (14 and 22 MiB for 256 MiB, 13 and 24 without), so they have none.
 */
export function collectSentText(length: number): void {
  sentSinceCollection += length;
  if (sentSinceCollection < collectEvery) return;
  sentSinceCollection = 0;
  Bun.gc(true);
}

const copiedAtOnce = 200;
let copiedSinceCollection = 0;

/**
 * Requests and parsed pages of a static copy pile up, too: at most 168 MB for 1,200 photos, 189 without this. To be called
 * for each of them.
 */
export function collectCopied(count = 1): void {
  copiedSinceCollection += count;
  if (copiedSinceCollection < copiedAtOnce) return;
  copiedSinceCollection = 0;
  Bun.gc(true);
}

/** A part of the search index of a static copy takes many times the memory of its text. */
export const collectIndex = (): void => collectCopied(copiedAtOnce);

/**
 * The runtime collects only while more garbage is made, so a server without requests would keep what the last busy minute has
 * left. After a load of reads, posts and uploads and 15 quiet seconds: 108 and 109 MiB, 131 and 139 without this and without
 * freeing the cache of SQLite. It runs beside the event loop.
 */
export function collectAfterWork(): void {
  Bun.gc(false);
}

/**
 * An import of small files makes garbage faster than it is collected. With 50,000 files of 2 KB: at most 108 MiB, 170 without
 * this, and 104 with 10,000 of them. In a server, after every 250 of 15,000 empty files of an archive: 46 MiB more than before, 105
 * without this. It blocks the event loop for 20 to 32 ms.
 */
export function collectAfterFiles(): void {
  Bun.gc(true);
}
