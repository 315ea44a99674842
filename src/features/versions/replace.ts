import { invalid, Problem } from "../../platform/errors.ts";
import type { StoredFile } from "../../content/files/file.ts";
import type { Intake } from "../../content/files/intake.ts";
import { streamBody } from "../../platform/http/body-bytes.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";

/** Stores the body as the new content of the file. If it is refused or breaks off, the file does not change. */
export async function replaceFile(
  intake: Intake,
  callerID: number,
  file: StoredFile,
  exchange: Exchange,
): Promise<StoredFile> {
  const { maxUploadBytes } = intake;
  const { headers } = exchange.request;
  const ifMatch = headers.get("if-match");
  if (file.isDirectory) throw invalid(`"${file.name}" is a directory: it has no content.`, "id");
  if (headers.has("content-range")) throw invalid("Send the whole content: a part of it cannot be replaced.");
  checkUnchanged(ifMatch, file);

  const length = headers.get("content-length");
  const source = {
    stream: streamBody(exchange, maxUploadBytes, `The file is larger than ${maxUploadBytes} bytes.`),
    atLeast: Number(length ?? 0),
    atMost: () => (length === null ? Infinity : Number(length)),
    moved: () => noteProgress(exchange),
  };
  const destination = { callerID, file, check: (current: StoredFile) => checkUnchanged(ifMatch, current) };
  await using incoming = await intake.receive(source, destination);
  return await intake.store(incoming, destination);
}

/** A client that sends the tag of the content it has seen replaces only that content. */
function checkUnchanged(ifMatch: string | null, { name, sha256 }: StoredFile): void {
  if (ifMatch === null || ifMatch.trim() === "*") return;
  if (ifMatch.split(",").some((tag) => tag.trim() === `"${sha256}"`)) return;
  throw new Problem("outdated", `"${name}" has another content than "If-Match" names: read it again first.`);
}
