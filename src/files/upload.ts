import { forbidden, invalid } from "../errors.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { type Exchange, noteProgress } from "../platform/http/exchange.ts";
import { readForm } from "../platform/http/multipart.ts";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
import { type Incoming, receiveIncoming } from "../storage/incoming.ts";
import { checkStored, type StorageLimits } from "../storage/quota.ts";
import { noReservation, openReservation, type Reservation, whenReplacing } from "../storage/reservation.ts";
import { detectContentType } from "./content-type.ts";
import { addDirectory, checkMayAdd, ensureDirectory, nameTaken } from "./directories.ts";
import type { StoredFile } from "./file.ts";
import { checkDepth, checkName, parsePath } from "./names.ts";
import {
  type Content,
  findByPath,
  findFreeName,
  findNamed,
  getFile,
  insertFile,
  lockFile,
  replaceContent,
} from "./store.ts";

type Form = { path: string[]; isDirectory: boolean; name: string | null; onConflict: "rename" | "replace" | "fail" };
/** Where a file is to lie. */
export type Target = Pick<Form, "path" | "onConflict"> & { name: string };
type Upload = Incoming & { filename: string };

/** What a form may have around its file, at most. */
const roomForFields = 2 ** 21;

/**
 * Takes a form in: the bytes go to disk as they come, what is known of the fields is looked at before them and again at
 * the end, and the row is written last. Where anything is refused or breaks off, nothing stays.
 */
export async function upload(
  db: Database,
  blobs: Blobs,
  limits: StorageLimits,
  exchange: Exchange,
  caller: Caller,
): Promise<StoredFile> {
  const fields: Record<string, string> = {};
  const received = await readForm<Upload>(exchange, limits.maxUploadBytes, {
    fileField: "file",
    async field(name, value) {
      fields[name] = value;
    },
    async file(filename, stream, unread) {
      const { path, name, onConflict } = await checkFields(db, caller, fields);
      const reservation = await reserve(db, limits, caller, { path, name: name ?? filename, onConflict });
      const atMost = (size: number) => size + unread();
      const atLeast = unread() === Infinity ? 0 : unread() - roomForFields;
      return { ...(await receiveIncoming(db, blobs, { stream, atLeast, atMost }, reservation)), filename };
    },
    drop: (file) => file.close(),
  });
  try {
    const form = await checkFields(db, caller, fields);
    if (form.isDirectory) return await makeDirectory(db, caller, form, received?.filename);
    if (!received) throw invalid(`"file" is required: send the upload as a form field of that name.`, "file");
    const target = toTarget(form, received.filename);
    const { sha256, size } = received;
    const content = { sha256, size, contentType: detectContentType(received.head, target.name) };
    return await received.store(
      (tx) => placeFile(tx, limits, caller, target, content),
      () => noteProgress(exchange),
    );
  } finally {
    await received?.close();
  }
}

/** By what is known when the file begins. The owner of a file that is replaced has the bytes, else the caller. */
export async function reserve(
  db: Database,
  { quotaBytes, versionsKept }: StorageLimits,
  caller: Caller,
  { path, name, onConflict }: Target,
): Promise<Reservation> {
  if (quotaBytes === null) return noReservation;
  const replaced = onConflict === "replace" ? await findByPath(db, [...path, name]) : null;
  if (replaced && isOwnerOrAdmin(caller, replaced)) {
    return openReservation(db, quotaBytes, replaced.ownerID, whenReplacing(replaced, versionsKept));
  }
  return caller.role === "admin" ? noReservation : openReservation(db, quotaBytes, caller.id);
}

/** Whether the caller may add to the directory comes before what is wrong with the other fields. */
export async function checkFields(db: Reader, caller: Caller, fields: Record<string, string>): Promise<Form> {
  const { isDirectory = "false", onConflict = "rename" } = fields;
  const path = parsePath(fields.path ?? "/");
  if (isDirectory !== "true") await checkMayAdd(db, caller, path);
  if (isDirectory !== "true" && isDirectory !== "false") {
    throw invalid(`"isDirectory" must be "true" or "false".`, "isDirectory");
  }
  if (onConflict !== "rename" && onConflict !== "replace" && onConflict !== "fail") {
    throw invalid(`"onConflict" must be "rename", "replace" or "fail".`, "onConflict");
  }
  const name = fields.name === undefined ? null : checkName(fields.name);
  return { path, isDirectory: isDirectory === "true", name, onConflict };
}

/** The name is the field `name`, else the filename, else the last step of the path. */
function makeDirectory(db: Database, caller: Caller, form: Form, filename: string | undefined): Promise<StoredFile> {
  const name = form.name ?? (filename ? checkName(filename, "file") : null);
  const parent = name === null ? form.path.slice(0, -1) : form.path;
  const last = name ?? form.path.at(-1);
  if (last === undefined) throw invalid(`"name" is required: what should the directory be called?`, "name");
  return addDirectory(db, caller, parent, last);
}

/** The name is the field `name`, else the filename. */
export function toTarget({ path, name, onConflict }: Form, filename: string, field = "file"): Target {
  const target = { path, name: name ?? checkName(filename, field), onConflict };
  checkDepth(path.length + 1);
  return target;
}

/** The last step of every upload: what is missing of the path is made, and a name that is taken is dealt with. */
export async function placeFile(
  tx: Queries,
  { quotaBytes, versionsKept }: StorageLimits,
  caller: Caller,
  target: Target,
  content: Content,
): Promise<StoredFile> {
  const directory = await ensureDirectory(tx, caller, target.path);
  const existing = await findReplaced(tx, caller, directory.id, target);
  if (existing) {
    const replaced = await lockFile(tx, existing.id);
    await replaceContent(tx, replaced, content, versionsKept);
    if (content.sha256 !== replaced.sha256) await checkStored(tx, quotaBytes, replaced.ownerID);
    return getFile(tx, replaced.id);
  }
  const name = await findFreeName(tx, directory.id, target.name);
  const file = await insertFile(tx, { directory, name, ownerID: caller.id, content });
  await checkStored(tx, quotaBytes, caller.id);
  return file;
}

/** Throws what `placeFile` would throw about the name, and changes nothing. */
export async function checkTarget(db: Reader, caller: Caller, target: Target): Promise<void> {
  const { id, depth } = await checkMayAdd(db, caller, target.path);
  if (depth === target.path.length) await findReplaced(db, caller, id, target);
}

/** The file whose content the upload replaces. Throws where the name is taken and cannot be had. */
async function findReplaced(
  db: Reader,
  caller: Caller,
  parentID: number,
  { name, onConflict }: Target,
): Promise<StoredFile | null> {
  const existing = onConflict === "rename" ? null : await findNamed(db, parentID, name);
  if (!existing) return null;
  if (onConflict === "fail" || existing.isDirectory) throw nameTaken(existing, "file");
  if (isOwnerOrAdmin(caller, existing)) return existing;
  throw forbidden(`Only the owner of "${existing.name}" or an admin may replace it.`);
}
