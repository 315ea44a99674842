import type { StoredFile } from "../../content/files/file.ts";
import { root } from "../../content/files/rows.ts";
import { findFile, findFiles } from "../../content/files/store.ts";
import { findPhotoIDs } from "../../content/photos/store.ts";
import { explainType, isImage, isVideo } from "../../core/images/image.ts";
import { isVisibleTo } from "../../core/records/visibility.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { joined, sql } from "../../platform/database/sql.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Handlers, Result } from "../../platform/jobs/queue.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Outcome } from "./import.ts";
import { makePhoto, type PhotoDeps, type Picture, type SaidOfPhoto } from "../../content/albums/make-photo.ts";
import { Cancelled, countFiles, findUnfinished, finishIfDone, lockUnfinished } from "./store.ts";
import { addDirectories, type DirectoryTask, type FileTask, photoTasks } from "./tasks.ts";

const childrenAtOnce = 100;

export type FoundFile = Settled & { id: number; name: string; said?: SaidOfPhoto | null };

const keyOf = (importID: number, fileID: number) => `${importID} file ${fileID}`;

/** Adds files to an import, and has photos made of those that are `waiting`. Those that it has already are not changed. */
export async function addFiles(tx: Queries, importID: number, files: FoundFile[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(
    ({ id, name, outcome, reason = null, photoID = null }) =>
      sql`(${importID}, ${id}, ${name}, ${outcome}, ${reason}, ${photoID})`,
  );
  const added = await tx.all<{ file_id: number }>(sql`
    INSERT INTO import_files (import_id, file_id, name, outcome, reason, photo_id) VALUES ${joined(rows)}
    ON CONFLICT (import_id, file_id) DO NOTHING RETURNING file_id`);
  const isAdded = new Set(added.map((row) => row.file_id));
  const counts: Partial<Record<Outcome, number>> = {};
  const tasks: Parameters<typeof photoTasks.add>[1] = [];
  for (const { id, outcome, said = null } of files.filter((file) => isAdded.has(file.id))) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome === "waiting") tasks.push({ key: keyOf(importID, id), group: importID, payload: { fileID: id, said } });
  }
  await photoTasks.add(tx, tasks);
  await countFiles(tx, importID, counts);
}

export function startPhotos({ log, metrics, ...deps }: PhotoDeps & { log: Log; metrics: Metrics }) {
  const { db } = deps;
  const handlers: Handlers<DirectoryTask | FileTask> = {
    async run({ id, group: importID, payload }) {
      const found = await findUnfinished(db, importID);
      if (!found) return { kind: "done" };
      const result = await ("directoryID" in payload
        ? listDirectory(db, importID, { ...found, ...payload })
        : makeOne(deps, importID, { ...found, ...payload }));
      if (result.kind !== "done") return result;
      // A transaction that ends the import has to see what all others have done.
      const write = async (tx: Queries) => {
        if (!(await lockUnfinished(tx, importID))) return;
        await result.write?.(tx);
        await finishIfDone(tx, importID, id);
      };
      return { kind: "done", write };
    },
    async givenUp(tx, { id, group: importID, payload }, { isCrash, reason }) {
      if (!(await lockUnfinished(tx, importID))) return;
      if ("directoryID" in payload) await tx.run(sql`UPDATE imports SET failure = ${notListed} WHERE id = ${importID}`);
      else if (isCrash) await settleFile(tx, importID, payload.fileID, { outcome: "refused", reason: endedEachTime });
      else await settleFile(tx, importID, payload.fileID, { outcome: "waiting", reason });
      await finishIfDone(tx, importID, id);
    },
  };
  return photoTasks.start({ db, log, metrics }, handlers);
}

type Child = { id: number; name: string; contentType: string | null; key: string; isDirectory: number; isHere: number };
type Listed = DirectoryTask & { owner: Caller; includesOthers: boolean; isRecursive: boolean };

/**
 * Adds the next children of a directory: the directories that the owner of the import sees, and their own files. Those of others are
 * left out, so that nothing is stored of a file that is private or will be. An import that `includesOthers` has everything.
 */
async function listDirectory(
  db: Database,
  importID: number,
  { owner, includesOthers, isRecursive, directoryID, after }: Listed,
): Promise<Result<DirectoryTask>> {
  // It may have been made private or moved since it was found.
  if (directoryID !== root.id && !(await findFile(db, owner, directoryID))) return { kind: "done" };
  const isIncluded = includesOthers
    ? sql`1 = 1`
    : sql`(owner_id = ${owner.id} OR (sha256 IS NULL AND ${isVisibleTo(owner, "files.")}))`;
  const rows = await db.all<Child>(sql`
    SELECT id, name, content_type AS "contentType", order_key AS key, CASE WHEN sha256 IS NULL THEN 1 ELSE 0 END AS "isDirectory",
      CASE WHEN ${isIncluded} THEN 1 ELSE 0 END AS "isHere"
    FROM files
    WHERE parent_id = ${directoryID} AND trash_id IS NULL AND (order_key, id) > (${after?.key ?? ""}, ${after?.id ?? 0})
    ORDER BY order_key, id LIMIT ${childrenAtOnce}`);
  const [directories = [], files = []] = [1, 0].map((is) => rows.filter((row) => row.isHere && row.isDirectory === is));
  const shown = await findPhotoIDs(db, owner.id, idsOf(files));
  const found = files.map((file) => classify(file, shown));
  const write = async (tx: Queries) => {
    if (!(await lockUnfinished(tx, importID))) return;
    await addFiles(tx, importID, found);
    if (isRecursive) await addDirectories(tx, importID, idsOf(directories));
  };
  const last = rows.length < childrenAtOnce ? undefined : rows.at(-1);
  if (!last) return { kind: "done", write };
  return { kind: "again", payload: { directoryID, after: { key: last.key, id: last.id } }, write };
}

const idsOf = (rows: Child[]) => rows.map(({ id }) => id);

/** The outcome that is known without reading the file. */
function classify({ id, name, contentType }: Child, shown: Map<number, number>): FoundFile {
  if (shown.has(id)) return { id, name, outcome: "exists", reason: alreadyImported };
  if (!isImage(contentType) && !isVideo(contentType))
    return { id, name, outcome: "refused", reason: explainType(contentType) };
  return { id, name, outcome: "waiting" };
}

async function makeOne(
  { db, images, originals }: PhotoDeps,
  importID: number,
  { owner, fileID, said }: FileTask & { owner: Caller },
): Promise<Result<FileTask>> {
  const file = await findFile(db, owner, fileID);
  const refuse = (reason: string): Result<FileTask> => ({
    kind: "done",
    write: (tx) => settleFile(tx, importID, fileID, { outcome: "refused", reason }),
  });
  if (!file) return refuse(inTrash);
  const picture = await readPicture(images, file);
  if (!("problem" in picture)) {
    const write = async (tx: Queries) =>
      settleFile(tx, importID, fileID, outcomeOf(await makePhoto(tx, originals, owner, { file, said, ...picture })));
    return { kind: "done", write };
  }
  const { code, message } = picture.problem;
  if (!["busy", "unavailable", "full"].includes(code)) return refuse(message);
  return {
    kind: "failed",
    reason: message,
    write: (tx) => settleFile(tx, importID, fileID, { outcome: "waiting", reason: message }),
  };
}

/** The picture of a file, if a photo can be made of it; otherwise why not. */
async function readPicture(images: PhotoDeps["images"], file: StoredFile): Promise<Picture | { problem: Problem }> {
  try {
    const image = await images.read(file);
    const { width, height, failure } = image ?? {};
    if (!image || !width || !height) throw invalid(failure ?? explainType(file.contentType));
    return { image, width, height };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}

type Settled = { outcome: Outcome; reason?: string; photoID?: number };

function outcomeOf(made: Awaited<ReturnType<typeof makePhoto>>): Settled {
  if (!made) return { outcome: "refused", reason: inTrash };
  const { photoID } = made;
  return made.isNew ? { outcome: "imported", photoID } : { outcome: "exists", reason: alreadyImported, photoID };
}

/** One that is still `waiting` gets the reason. */
async function settleFile(tx: Queries, importID: number, fileID: number, settled: Settled): Promise<void> {
  const { outcome, reason = null } = settled;
  const photoID = (outcome === "imported" && settled.photoID) || null;
  const isWaiting = sql`import_id = ${importID} AND file_id = ${fileID} AND outcome = 'waiting'`;
  const changed = await tx.run(sql`
    UPDATE import_files SET outcome = ${outcome}, reason = ${reason}, photo_id = ${photoID} WHERE ${isWaiting}`);
  if (changed > 0 && outcome !== "waiting") await countFiles(tx, importID, { [outcome]: 1, waiting: -1 });
}

/**
 * Makes the photos that a post shows, or that comments are on, at once. `files` are their texts for those who do not see them, by the
 * ids of the files. Returns the photos by the ids of their files, without files that no photo can be made of.
 */
export async function makePhotosNow(
  { db, images, originals }: PhotoDeps,
  { owner, importID }: { owner: Caller; importID: number },
  altTexts: Map<number, string>,
): Promise<Map<number, number>> {
  const photos = await findPhotoIDs(db, owner.id, [...altTexts.keys()]);
  const missing = [...altTexts.keys()].filter((id) => !photos.has(id));
  for (const file of (await findFiles(db, owner, missing)).values()) {
    if (!isImage(file.contentType) && !isVideo(file.contentType)) continue;
    const picture = await readPicture(images, file);
    if ("problem" in picture) continue;
    const made = await db.transaction(async (tx) => {
      if (!(await lockUnfinished(tx, importID))) throw new Cancelled();
      const task = await photoTasks.take(tx, keyOf(importID, file.id));
      const waiting = task && "fileID" in task ? task.said : null;
      const altText = waiting?.altText || altTexts.get(file.id)?.slice(0, 1000) || "";
      const said = { inAlbums: [], ...waiting, altText };
      const result = outcomeOf(await makePhoto(tx, originals, owner, { file, said, ...picture }));
      if (task) await settleFile(tx, importID, file.id, result);
      else if (result.outcome === "imported") await addFiles(tx, importID, [{ ...file, ...result }]);
      return result;
    });
    if (made.photoID !== undefined) photos.set(file.id, made.photoID);
  }
  return photos;
}

const alreadyImported = "It is already one of your photos.";
const inTrash = "It is in the trash.";
const notListed = "Some of its directories could not be read: the log of the server says why. Import them again.";
const endedEachTime = "The server has ended each time while it read this file.";
