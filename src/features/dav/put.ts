import { checkQuota } from "../../core/storage/quota.ts";
import { receiveIncoming } from "../../core/storage/incoming.ts";
import { openReservation } from "../../core/storage/reservation.ts";
import { detectContentType } from "../../content/files/content-type.ts";
import type { StoredFile } from "../../content/files/file.ts";
import { setContentTime } from "../../content/files/update.ts";
import { checkTarget } from "../../content/files/target.ts";
import { lockDirectory, lockRow } from "../../content/files/store.ts";
import type { Directory } from "../../content/files/rows.ts";
import type { Queries } from "../../platform/database/database.ts";
import { streamBody } from "../../platform/http/body-bytes.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import { readChecksum } from "./checksum.ts";
import { type Conditions, readConditions } from "./conditions.ts";
import { Refusal } from "./refusal.ts";
import { findDirectory, findResource, isDirectory, type Resource } from "./resources.ts";
import { isSideName, putSideFile } from "./side-files.ts";
import type { Visit } from "./visit.ts";

/** Stores the body as a file. If it is refused or breaks off, what was there stays. */
export async function put(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  if (exchange.request.headers.has("content-range"))
    throw new Refusal(400, "Send the whole content: a part of it cannot be replaced.");
  const conditions = readConditions(exchange, caller, names);
  const { resource, directory } = await findPlace(db, visit);
  await conditions.check(db, resource, [touchedBy(names, resource)]);
  const isSide = resource ? resource.kind === "side" : isSideName(names.at(-1) ?? "");
  await checkTarget(db, caller, isSide ? { ...targetOf(names), onConflict: "rename" } : targetOf(names));
  const { sha256 } = await (isSide ? storeBeside(visit, conditions, directory) : storeFile(visit, conditions));
  const isDated = !isSide && readTime(exchange) !== null;
  const headers = { ETag: `"${sha256}"`, ...(isDated && { "X-OC-Mtime": "accepted" }) };
  return new Response(null, { status: resource ? 204 : 201, headers });
}

/** When the content was written, as clients that synchronize directories say it: in seconds. */
function readTime({ request }: Exchange): number | null {
  const [, seconds] = /^(\d{1,10})(?:\.\d{1,9})?$/.exec(request.headers.get("x-oc-mtime") ?? "") ?? [];
  const time = Number(seconds ?? 0) * 1000;
  return time > 0 && time <= Date.now() + day ? time : null;
}

const day = 86_400_000;

const targetOf = (names: string[]) => ({
  path: names.slice(0, -1),
  name: names.at(-1) ?? "",
  onConflict: "replace" as const,
});

const touchedBy = (names: string[], resource: Resource | null) => ({
  names,
  isMember: resource === null,
  isTree: false,
});

/** What is at the address, and the directory that contains it. */
async function findPlace(
  db: Queries | Visit["db"],
  { caller, names }: Pick<Visit, "caller" | "names">,
): Promise<{ resource: Resource | null; directory: Directory }> {
  const directory = names.length === 0 ? null : await findDirectory(db, caller, names.slice(0, -1));
  const resource = await findResource(db, caller, names);
  if (resource && isDirectory(resource)) throw new Refusal(405, "This is a directory: it has no content.");
  if (!directory) throw new Refusal(409, "The directory does not exist: create it first.");
  return { resource, directory };
}

/** In the transaction: what was true before the bytes came must still be. */
async function checkAgain(tx: Queries, visit: Visit, conditions: Conditions): Promise<Directory> {
  const before = await findPlace(tx, visit);
  if (before.resource?.kind === "file") await lockRow(tx, before.resource.file.id);
  if (!(await lockDirectory(tx, before.directory.id))) throw new Refusal(409, "The directory was deleted.");
  const { resource, directory } = await findPlace(tx, visit);
  await conditions.check(tx, resource, [touchedBy(visit.names, resource)]);
  return directory;
}

async function storeFile(visit: Visit, conditions: Conditions): Promise<{ sha256: string | null }> {
  const { exchange, caller, names, intake } = visit;
  const destination = { caller, target: targetOf(names) };
  const { source, checkSum } = openSource(visit);
  await using incoming = await intake.receive(source, destination);
  checkSum();
  const time = readTime(exchange);
  let stored: StoredFile | null = null;
  await intake.storeWith(incoming, destination, async (tx, place) => {
    await checkAgain(tx, visit, conditions);
    const placed = await place();
    if (time !== null) await setContentTime(tx, placed.id, time);
    stored = placed;
  });
  noteProgress(exchange);
  return stored ?? incoming;
}

async function storeBeside(visit: Visit, conditions: Conditions, { id }: Directory): Promise<{ sha256: string }> {
  const { caller, names, db, blobs, quotaBytes } = visit;
  const name = names.at(-1) ?? "";
  const quota = { ownerID: caller.id, quotaBytes };
  const { source, checkSum } = openSource(visit);
  await using incoming = await receiveIncoming(db, blobs, source, openReservation(db, quota));
  checkSum();
  const { sha256, size, head } = incoming;
  await incoming.store(async (tx) => {
    await checkAgain(tx, visit, conditions);
    const contentType = detectContentType(head, name);
    await putSideFile(tx, { ownerID: caller.id, parentID: id, name }, { sha256, size, contentType });
    await checkQuota(tx, quota, { isReserved: true });
  });
  return { sha256 };
}

function openSource({ exchange, intake }: Visit) {
  const { maxUploadBytes } = intake;
  const { headers } = exchange.request;
  const length = headers.get("content-length");
  const checksum = readChecksum(headers);
  const stream = streamBody(exchange, maxUploadBytes, `The file is larger than ${maxUploadBytes} bytes.`);
  const source = {
    stream: checksum.watch(stream),
    atLeast: Number(length ?? 0),
    atMost: () => (length === null ? Infinity : Number(length)),
    moved: () => noteProgress(exchange),
  };
  return { source, checkSum: checksum.check };
}
