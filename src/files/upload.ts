import { forbidden, invalid } from "../errors.ts";
import type { Blobs, Received } from "../platform/blobs/blobs.ts";
import type { Database, Queries } from "../platform/database/database.ts";
import type { Exchange } from "../platform/http/exchange.ts";
import { readForm } from "../platform/http/multipart.ts";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
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
type Upload = Received & { filename: string };

/**
 * Takes a form in: the bytes go to disk as they come, what is known of the fields is looked at before them and again at
 * the end, and the row is written last. Where anything is refused or breaks off, nothing stays.
 */
export async function upload(
  db: Database,
  blobs: Blobs,
  maxBytes: number,
  exchange: Exchange,
  caller: Caller,
): Promise<StoredFile> {
  const fields: Record<string, string> = {};
  const received = await readForm<Upload>(exchange, maxBytes, {
    fileField: "file",
    async field(name, value) {
      fields[name] = value;
    },
    async file(filename, stream) {
      await readFields(db, caller, fields);
      return { ...(await blobs.receive(stream)), filename };
    },
    drop: (file) => file.discard(),
  });
  try {
    const form = await readFields(db, caller, fields);
    if (form.isDirectory) return await makeDirectory(db, caller, form, received?.filename);
    if (!received) throw invalid(`"file" is required: send the upload as a form field of that name.`, "file");
    return await store(db, caller, form, received, exchange);
  } finally {
    // After `keep` this has nothing left to do.
    await received?.discard();
  }
}

/** Whether the caller may add to the directory comes before what is wrong with the other fields. */
async function readFields(db: Database, caller: Caller, fields: Record<string, string>): Promise<Form> {
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
  caller: Caller,
  form: Form,
  received: Upload,
  exchange: Exchange,
): Promise<StoredFile> {
  const name = form.name ?? checkName(received.filename, "file");
  checkDepth(form.path.length + 1);
  const { sha256, size } = received;
  const content = { sha256, size, contentType: detectContentType(received.head, name) };
  await received.keep(() => {
    exchange.lastProgress = performance.now();
  });
  return db.transaction((tx) => place(tx, caller, form, name, content));
}

async function place(tx: Queries, caller: Caller, form: Form, name: string, content: Content): Promise<StoredFile> {
  const parentID = await ensureDirectory(tx, caller, form.path);
  const existing = form.onConflict === "rename" ? null : await findNamed(tx, parentID, name);
  if (existing && (form.onConflict === "fail" || existing.isDirectory)) throw nameTaken(existing, "file");
  if (existing) {
    if (!isOwnerOrAdmin(caller, existing))
      throw forbidden(`Only the owner of "${existing.name}" or an admin may replace it.`);
    await replaceContent(tx, existing, content);
    return getFile(tx, existing.id);
  }
  const free = await findFreeName(tx, parentID, name);
  return insertFile(tx, { parentID, name: free, ownerID: caller.id, content });
}
