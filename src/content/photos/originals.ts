import type { StoredFile } from "../files/file.ts";
import { findFiles, lockFiles } from "../files/store.ts";
import { updateFile } from "../files/update.ts";
import type { Queries } from "../../platform/database/database.ts";
import { inChunks, list, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { keepsOriginalsPrivate } from "../../core/settings/store.ts";
import { type FindUses, maxExamined, type Use } from "../../core/records/use.ts";
import { flagFor, seesEverything, toVisibility, type Visibility } from "../../core/records/visibility.ts";
import type { Photo, PhotoChanges } from "./photo.ts";
import { type AddedPhoto, getPhoto } from "./store.ts";

/** `photo` is the photo before the change. */
type PhotoUpdate = { id: number; photo: Pick<Photo, "visibility">; changed: Choice };
type Choice = Pick<PhotoChanges, "visibility" | "original" | "fileID">;

/**
 * The original of a photo is its file, if both belong to the same user: a photo of somebody else's file decides nothing about
 * it. What others have made of a file does not count as a use, or else anyone could keep it public.
 */
export type Originals = {
  /**
   * Sets the visibility of the originals of photos whose visibility or file was changed. A file that another public record of
   * its owner uses stays public. Returns whether a file has changed.
   */
  follow(tx: Queries, callerID: number, updates: PhotoUpdate[]): Promise<boolean>;
  /** The same for a photo that was added in this transaction. Returns it as it is then. */
  followNew(tx: Queries, callerID: number, added: AddedPhoto, sent: Choice): Promise<Photo>;
  /**
   * Locks the originals of these photos that nothing else of their owner uses. Returns each by the id of one of its photos.
   */
  lockUnused(tx: Queries, photoIDs: number[]): Promise<Map<number, StoredFile>>;
};

export function createOriginals(finders: FindUses[]): Originals {
  return {
    async follow(tx, callerID, updates) {
      const free = updates.filter(({ changed }) => changed.original !== "keep");
      if (free.length === 0) return false;
      const isAlwaysPrivate = await keepsOriginalsPrivate(tx);
      const closed = free.filter(({ changed }) => isAlwaysPrivate || changed.visibility === "private").map(idOf);
      const hasClosed = await close(tx, callerID, closed, isAlwaysPrivate);
      if (isAlwaysPrivate) return hasClosed;
      // A request that only repeats "public" says nothing about the file.
      const isOpened = ({ photo, changed }: PhotoUpdate) =>
        photo.visibility === "private" && changed.visibility === "public";
      return (await open(tx, callerID, free.filter(isOpened).map(idOf))) || hasClosed;
    },

    async followNew(tx, callerID, { photo, isOriginalPrivate }, { visibility, original }) {
      const { id } = photo;
      if (original === "keep" || !(isOriginalPrivate || visibility === "private")) return photo;
      return (await close(tx, callerID, [id], isOriginalPrivate))
        ? getPhoto(tx, { id: callerID, role: "reader" }, id)
        : photo;
    },

    async lockUnused(tx, photoIDs) {
      const files = await lockOriginals(tx, photoIDs, sql`files.sha256 IS NOT NULL`);
      const gone = new Set(photoIDs);
      const isOther = (use: Use) => use.as !== "link" && !(use.kind === "photo" && use.id !== null && gone.has(use.id));
      const used = await findUsed(tx, files, asOwner, isOther);
      const unused = new Map(files.flatMap((file) => (used.has(file.id) ? [] : [[file.id, file]])));
      const lastPhotos = new Map((await selectOriginals(tx, photoIDs)).map(({ id, fileID }) => [fileID, id]));
      return new Map([...unused].map(([fileID, file]) => [lastPhotos.get(fileID) as number, file]));
    },
  };

  /** Makes the originals of photos private that no public record uses. With `isAlwaysPrivate`, photos do not count. */
  async function close(tx: Queries, callerID: number, photoIDs: number[], isAlwaysPrivate: boolean): Promise<boolean> {
    const files = await lockOriginals(tx, photoIDs, sql`files.is_private <> ${flagFor("private")}`);
    // A public photo shows the picture of a private file of the same owner.
    const used = await findUsed(tx, files, null, (use) => !(isAlwaysPrivate && use.kind === "photo"));
    const unused = files.filter(({ id }) => !used.has(id));
    await setVisibility(tx, callerID, unused, "private");
    return unused.length > 0;
  }

  /** The ids of those of the files that something uses that the viewer may see. */
  async function findUsed(
    tx: Queries,
    files: StoredFile[],
    viewer: null | ((ownerID: number) => Viewer),
    counts: (use: Use) => boolean,
  ): Promise<Set<number>> {
    const used = new Set<number>();
    for (const [ownerID, own] of Map.groupBy(files, (file) => file.ownerID)) {
      const ids = own.map(({ id }) => id);
      for (let start = 0; start < ids.length; start += filesAtOnce) {
        if (start > 0) await nextTurn();
        const uses = await findUses(tx, viewer?.(ownerID) ?? null, ownerID, ids.slice(start, start + filesAtOnce));
        for (const use of uses) if (counts(use)) used.add(use.usedID);
      }
    }
    return used;
  }

  async function findUses(tx: Queries, viewer: Viewer, ownerID: number, ids: number[]): Promise<Use[]> {
    const found = await Promise.all(
      finders.map((find) => find(tx, viewer, { kind: "file", ids, ownerID }, maxExamined)),
    );
    if (ids.length === 1 || found.every((uses) => uses.length < maxExamined)) return found.flat();
    // Some uses may be missing.
    const half = Math.ceil(ids.length / 2);
    const [some, others] = [ids.slice(0, half), ids.slice(half)];
    return [...(await findUses(tx, viewer, ownerID, some)), ...(await findUses(tx, viewer, ownerID, others))];
  }
}

const filesAtOnce = 50;

const asOwner = (ownerID: number): Viewer => ({ id: ownerID, role: "reader" });

const idOf = ({ id }: PhotoUpdate): number => id;

async function open(tx: Queries, callerID: number, photoIDs: number[]): Promise<boolean> {
  const files = await lockOriginals(tx, photoIDs, sql`files.is_private <> ${flagFor("public")}`);
  await setVisibility(tx, callerID, files, "public");
  return files.length > 0;
}

async function setVisibility(
  tx: Queries,
  callerID: number,
  files: StoredFile[],
  visibility: Visibility,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    if (index > 0 && index % filesAtOnce === 0) await nextTurn();
    await updateFile(tx, callerID, file, { visibility });
  }
}

/** Locks the originals of these photos that meet a condition on `files`, each once. */
async function lockOriginals(tx: Queries, photoIDs: number[], where: Sql): Promise<StoredFile[]> {
  const ids = new Set((await selectOriginals(tx, photoIDs, where)).map(({ fileID }) => fileID));
  if (ids.size === 0) return [];
  await lockFiles(tx, [...ids]);
  return [...(await findFiles(tx, seesEverything, [...ids])).values()];
}

/** The photos with their originals that are not in the trash. */
function selectOriginals(tx: Queries, photoIDs: number[], where: Sql = sql`1 = 1`) {
  return inChunks(photoIDs, (some) =>
    tx.all<{ id: number; fileID: number }>(sql`
      SELECT photos.id, files.id AS "fileID" FROM photos JOIN files ON files.id = photos.file_id AND ${isOriginal}
      WHERE photos.id IN (${list(some)}) AND files.trash_id IS NULL AND ${where} ORDER BY photos.id`),
  );
}

/** The condition of `files` and `photos`. */
const isOriginal = sql`${unindexed("files.owner_id")} = photos.owner_id`;

type State = { id: number; entryID: number | null; fileEntryID: number | null; isPrivate: number };

/** What the originals of photos are: in the trash with one of these photos, or else who can see them. */
export async function describeOriginals(tx: Queries, photoIDs: number[]): Promise<Map<number, Original>> {
  const rows = await inChunks(photoIDs, (some) =>
    tx.all<State>(sql`
      SELECT photos.id, photos.trash_id AS "entryID", files.trash_id AS "fileEntryID", files.is_private AS "isPrivate"
      FROM photos JOIN files ON files.id = photos.file_id AND ${isOriginal} WHERE photos.id IN (${list(some)})`),
  );
  const entries = new Set(rows.map(({ entryID }) => entryID));
  const known = rows.filter(({ fileEntryID }) => fileEntryID === null || entries.has(fileEntryID));
  return new Map(
    known.map(({ id, fileEntryID, isPrivate }) => [id, fileEntryID === null ? toVisibility(isPrivate) : "trashed"]),
  );
}

export type Original = Visibility | "trashed";
