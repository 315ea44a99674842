import { invalid, Problem } from "../errors.ts";
import { detectContentType } from "../files/content-type.ts";
import type { StoredFile } from "../files/file.ts";
import { getFile, lockFile, replaceContent } from "../files/store.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database } from "../platform/database/database.ts";
import { readBody } from "../platform/http/body.ts";
import { type Exchange, noteProgress } from "../platform/http/exchange.ts";
import { receiveIncoming } from "../storage/incoming.ts";
import { checkStored, type StorageLimits } from "../storage/quota.ts";
import { openReservation, whenReplacing } from "../storage/reservation.ts";

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

  const length = headers.get("content-length");
  const source = {
    stream: readBody(exchange, maxUploadBytes, `The file is larger than ${maxUploadBytes} bytes.`),
    atLeast: Number(length ?? 0),
    atMost: () => (length === null ? Infinity : Number(length)),
  };
  const reservation = openReservation(db, quotaBytes, file.ownerID, whenReplacing(file, versionsKept));
  const incoming = await receiveIncoming(db, blobs, source, reservation);
  try {
    const { sha256, size } = incoming;
    const content = { sha256, size, contentType: detectContentType(incoming.head, file.name) };
    return await incoming.store(
      async (tx) => {
        const current = await lockFile(tx, file.id);
        checkUnchanged(ifMatch, current);
        await replaceContent(tx, current, content, versionsKept);
        if (sha256 !== current.sha256) await checkStored(tx, quotaBytes, file.ownerID);
        return getFile(tx, file.id);
      },
      () => noteProgress(exchange),
    );
  } finally {
    await incoming.close();
  }
}

/** Whoever names the content that they have seen does not replace another. */
function checkUnchanged(ifMatch: string | null, { name, sha256 }: StoredFile): void {
  if (ifMatch === null || ifMatch.trim() === "*") return;
  if (ifMatch.split(",").some((tag) => tag.trim() === `"${sha256}"`)) return;
  throw new Problem("outdated", `"${name}" has another content than "If-Match" names: read it again first.`);
}
