import { missing, Problem } from "../errors.ts";
import type { File } from "../files/file.ts";
import { parsePath } from "../files/names.ts";
import { findByPath, findFile, listDirectory, rootID } from "../files/store.ts";
import { isImage } from "../images/image.ts";
import type { Images } from "../images/read.ts";
import type { Database } from "../platform/database/database.ts";
import { type Exchange, moveOn } from "../platform/http/exchange.ts";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
import type { ImportReport } from "./photo.ts";
import { findShown, insertPhoto } from "./store.ts";

const mostAtOnce = 1000;
const sideBySide = 8;

type Line = ImportReport["files"][number];

/** Makes a photo of every image in a directory that is not one yet. What cannot become one is told, and changes nothing. */
export async function importPhotos(
  db: Database,
  images: Images,
  caller: Caller,
  path: string,
  exchange: Exchange,
): Promise<ImportReport> {
  const entries = (await Array.fromAsync(listDirectory(db, await getDirectoryID(db, path)))).flat();
  const files = entries.filter((file) => !file.isDirectory);
  const shown = await findShown(
    db,
    caller.id,
    files.map((file) => file.id),
  );
  const lines: Line[] = [];
  let imported = 0;
  for (let start = 0; start < files.length && imported < mostAtOnce; start += sideBySide) {
    const some = files.slice(start, start + sideBySide);
    const examined = await Promise.all(some.map((file) => examine(images, caller, file, shown)));
    // Each in a transaction of its own: several would wait for each other where many import.
    for (const found of examined) {
      const line = "size" in found ? await insertOnce(db, caller, found) : found;
      if (line.outcome === "imported") imported++;
      lines.push(line);
    }
    moveOn(exchange);
  }
  return { imported, left: files.length - lines.length, files: lines };
}

async function getDirectoryID(db: Database, path: string): Promise<number> {
  const names = parsePath(path);
  const directory = names.length === 0 ? { id: rootID, isDirectory: true } : await findByPath(db, names);
  if (!directory?.isDirectory) throw missing(`directory /${names.join("/")}`);
  return directory.id;
}

type Importable = { file: File; size: { width: number; height: number } };

async function examine(images: Images, caller: Caller, file: File, shown: Set<number>): Promise<Line | Importable> {
  const refuse = (reason: string) => tell(file, "refused", reason);
  if (shown.has(file.id)) return tell(file, "exists", already);
  if (!isOwnerOrAdmin(caller, file)) return refuse("It belongs to somebody else.");
  if (!isImage(file.contentType)) return refuse("It is not an image that is known here.");
  try {
    const { width, height, failure } = (await images.read(file)) ?? {};
    return width && height ? { file, size: { width, height } } : refuse(failure ?? "It cannot be read.");
  } catch (error) {
    if (error instanceof Problem) return refuse(error.message);
    throw error;
  }
}

const already = "It is one of your photos already.";

function tell({ id, name }: File, outcome: Line["outcome"], reason: string): Line {
  return { fileID: id, name, outcome, reason, photo: null };
}

/** Meanwhile somebody may have asked for the same, or deleted the file. */
function insertOnce(db: Database, caller: Caller, { file, size }: Importable): Promise<Line> {
  return db.transaction(async (tx) => {
    if ((await findShown(tx, caller.id, [file.id])).size > 0) return tell(file, "exists", already);
    if (!(await findFile(tx, file.id))) return tell(file, "refused", "It is in the trash.");
    const details = { title: titleFrom(file.name), description: "", fileID: file.id, ...size, showLocation: false };
    const photo = await insertPhoto(tx, caller, details);
    return { fileID: file.id, name: file.name, outcome: "imported", reason: null, photo };
  });
}

/** `harbour_at-dusk.jpg` → `harbour at-dusk`; a name that is all extension stays as it is. */
function titleFrom(name: string): string {
  return (
    name
      .replace(/(?<=.)\.[^.]{1,10}$/, "")
      .replaceAll("_", " ")
      .trim() || name
  );
}
