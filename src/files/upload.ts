import { forbidden, invalid } from "../errors.ts";
import type { Blobs, Received } from "../platform/blobs/blobs.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { type Exchange, moveOn } from "../platform/http/exchange.ts";
import { readForm } from "../platform/http/multipart.ts";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
import { checkQuota, type StorageLimits } from "../storage/quota.ts";
import { detectContentType } from "./content-type.ts";
import { addDirectory, checkMayAdd, ensureDirectory, nameTaken } from "./directories.ts";
import { checkDepth, checkName, parsePath } from "./names.ts";
import {
  type Content,
  findFreeName,
  findNamed,
  getFile,
  insertFile,
  replaceContent,
  type StoredFile,
} from "./store.ts";

type Form = { path: string[]; isDirectory: boolean; name: string | null; onConflict: "rename" | "replace" | "fail" };
/** Where a file is to lie. */
export type Target = Pick<Form, "path" | "onConflict"> & { name: string };
type Upload = Received & { filename: string };

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
    async file(filename, stream) {
      const { onConflict } = await checkFields(db, caller, fields);
      const length = Number(exchange.request.headers.get("content-length") ?? 0);
      await checkRoom(db, limits, caller, onConflict, Math.max(0, length - roomForFields));
      return { ...(await blobs.receive(stream)), filename };
    },
    drop: (file) => file.discard(),
  });
  try {
    const form = await checkFields(db, caller, fields);
    if (form.isDirectory) return await makeDirectory(db, caller, form, received?.filename);
    if (!received) throw invalid(`"file" is required: send the upload as a form field of that name.`, "file");
    return await store(db, limits, caller, form, received, exchange);
  } finally {
    // After `keep` this has nothing left to do.
    await received?.discard();
  }
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

async function store(
  db: Database,
  limits: StorageLimits,
  caller: Caller,
  form: Form,
  received: Upload,
  exchange: Exchange,
): Promise<StoredFile> {
  const target = toTarget(form, received.filename);
  const { sha256, size } = received;
  await checkRoom(db, limits, caller, target.onConflict, size);
  const content = { sha256, size, contentType: detectContentType(received.head, target.name) };
  await received.keep(() => moveOn(exchange));
  return db.transaction((tx) => placeFile(tx, limits, caller, target, content));
}

/** Early, so that no bytes come, or are kept, for nothing. What is replaced may make room: then only the end tells. */
export async function checkRoom(
  db: Reader,
  { quotaBytes }: StorageLimits,
  caller: Caller,
  onConflict: Target["onConflict"],
  size: number,
): Promise<void> {
  if (onConflict !== "replace") await checkQuota(db, quotaBytes, caller.id, size);
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
  const { path, name, onConflict } = target;
  const parentID = await ensureDirectory(tx, caller, path);
  const existing = onConflict === "rename" ? null : await findNamed(tx, parentID, name);
  if (existing && (onConflict === "fail" || existing.isDirectory)) throw nameTaken(existing, "file");
  if (existing) {
    if (!isOwnerOrAdmin(caller, existing))
      throw forbidden(`Only the owner of "${existing.name}" or an admin may replace it.`);
    await replaceContent(tx, existing, content, versionsKept);
    if (content.sha256 !== existing.sha256) await checkQuota(tx, quotaBytes, existing.ownerID);
    return getFile(tx, existing.id);
  }
  const free = await findFreeName(tx, parentID, name);
  const file = await insertFile(tx, { parentID, name: free, ownerID: caller.id, content });
  await checkQuota(tx, quotaBytes, caller.id);
  return file;
}
