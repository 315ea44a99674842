import { invalid } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import { maxBytesAroundFile, readUploadForm } from "../../platform/http/multipart.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Incoming } from "../../core/storage/incoming.ts";
import { addDirectory } from "./directories.ts";
import type { StoredFile } from "./file.ts";
import type { Intake } from "./intake.ts";
import { checkName } from "./names.ts";
import { checkFields, type Fields, toTarget } from "./target.ts";

type Upload = Incoming & { filename: string };

/**
 * Stores the file of a form, or makes a directory. The fields that have come are checked before the file is received, and
 * all of them after it. If anything is refused or the body breaks off, nothing is stored.
 */
export async function upload(db: Database, intake: Intake, exchange: Exchange, caller: Caller): Promise<StoredFile> {
  const sent: Record<string, string> = {};
  await using received = await readUploadForm<Upload>(exchange, intake.maxUploadBytes, {
    fileField: "file",
    async field(name, value) {
      sent[name] = value;
    },
    async file(filename, stream, unread) {
      const { path, name, onConflict, visibility } = await checkFields(db, caller, sent);
      const atMost = (size: number) => size + unread();
      const atLeast = unread() === Infinity ? 0 : unread() - maxBytesAroundFile;
      const source = { stream, atLeast, atMost, moved: () => noteProgress(exchange) };
      const target = { path, name: name ?? filename, onConflict, visibility };
      return { ...(await intake.receive(source, { caller, target })), filename };
    },
    drop: async (file) => file[Symbol.asyncDispose](),
  });
  const fields = await checkFields(db, caller, sent);
  if (fields.isDirectory) return await makeDirectory(db, caller, fields, received?.filename);
  if (!received) throw invalid(`"file" is required: send the upload as a form field of that name.`, "file");
  return await intake.store(received, { caller, target: toTarget(fields, received.filename) });
}

/** The name is the field `name`, else the filename, else the last step of the path. */
function makeDirectory(
  db: Database,
  caller: Caller,
  fields: Fields,
  filename: string | undefined,
): Promise<StoredFile> {
  const name = fields.name ?? (filename ? checkName(filename, "file") : null);
  const parent = name === null ? fields.path.slice(0, -1) : fields.path;
  const last = name ?? fields.path.at(-1);
  if (last === undefined) throw invalid(`"name" is required: what should the directory be called?`, "name");
  return addDirectory(db.transaction, caller, parent, { name: last, visibility: fields.visibility });
}
