import { invalid, Problem } from "../errors.ts";
import { detectContentType } from "../files/content-type.ts";
import { getFile, lockFile, replaceContent, type StoredFile } from "../files/store.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database, Reader } from "../platform/database/database.ts";
import { readBody } from "../platform/http/body.ts";
import { type Exchange, moveOn } from "../platform/http/exchange.ts";
import { checkQuota, type StorageLimits } from "../storage/quota.ts";
import { listVersions } from "./store.ts";

/**
 * Takes the body in as the file's new content: the bytes go to disk as they come, the row changes last. Where anything is
 * refused or breaks off, the file is what it was.
 */
export async function replaceFile(
  db: Database,
  blobs: Blobs,
  limits: StorageLimits,
  file: StoredFile,
  exchange: Exchange,
): Promise<StoredFile> {
  const { maxUploadBytes, quotaBytes, versionsKept } = limits;
  const { headers } = exchange.request;
  const ifMatch = headers.get("if-match");
  if (file.isDirectory) throw invalid(`"${file.name}" is a directory: it has no content.`, "id");
  if (headers.has("content-range")) throw invalid("Send the whole content: a part of it cannot be replaced.");
  checkUnchanged(ifMatch, file);
  await checkRoom(db, limits, file, Number(headers.get("content-length") ?? 0));

  const body = readBody(exchange, maxUploadBytes, `The file is larger than ${maxUploadBytes} bytes.`);
  const received = await blobs.receive(body);
  try {
    const { sha256, size } = received;
    await checkRoom(db, limits, file, size);
    const content = { sha256, size, contentType: detectContentType(received.head, file.name) };
    await received.keep(() => moveOn(exchange));
    return await db.transaction(async (tx) => {
      const current = await lockFile(tx, file.id);
      checkUnchanged(ifMatch, current);
      await replaceContent(tx, current, content, versionsKept);
      if (sha256 !== current.sha256) await checkQuota(tx, quotaBytes, file.ownerID);
      return getFile(tx, file.id);
    });
  } finally {
    // After `keep` this has nothing left to do.
    await received.discard();
  }
}

/** Whoever names the content that they have seen does not replace another. */
function checkUnchanged(ifMatch: string | null, { name, sha256 }: StoredFile): void {
  if (ifMatch === null || ifMatch.trim() === "*") return;
  if (ifMatch.split(",").some((tag) => tag.trim() === `"${sha256}"`)) return;
  throw new Problem("outdated", `"${name}" has another content than "If-Match" names: read it again first.`);
}

/** Early, so that no bytes come, or are kept, for nothing; what counts is the look inside the transaction. */
async function checkRoom(db: Reader, { quotaBytes, versionsKept }: StorageLimits, file: StoredFile, size: number) {
  // As many bytes as it has may be the same, which need no room.
  if (quotaBytes === null || size === file.size) return;
  const leaving = [file, ...(await listVersions(db, file.id))].slice(versionsKept);
  const more = leaving.reduce((bytes, old) => bytes - old.size, size);
  await checkQuota(db, quotaBytes, file.ownerID, more);
}
