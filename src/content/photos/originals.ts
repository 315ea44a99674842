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
  /**
   * Makes the originals of these photos private if they are cropped, unless another public record of their owner shows them,
   * and public again if a crop had made them private. Returns whether a file has changed.
   */
  followCrops(tx: Queries, callerID: number, photoIDs: number[]): Promise<boolean>;
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
      const isCounted = (use: Use) => !(isAlwaysPrivate && use.kind === "photo");
      const hasClosed = (await close(tx, callerID, closed, isCounted)).length > 0;
      if (isAlwaysPrivate) return hasClosed;
      // A request that only repeats "public" says nothing about the file.
      const isOpened = ({ photo, changed }: PhotoUpdate) =>
        photo.visibility === "private" && changed.visibility === "public";
      const opened = free.filter(isOpened).map(idOf);
      // What a crop keeps private is public without it.
      if (opened.length > 0)
        await tx.run(sql`UPDATE photos SET closed_file_id = file_id WHERE id IN (${list(opened)}) AND is_cropped = 1`);
      return (await open(tx, callerID, opened)) || hasClosed;
    },

    async followCrops(tx, callerID, photoIDs) {
      const rows = await tx.all<{ id: number; is_cropped: number; is_closed: number }>(sql`
        SELECT id, is_cropped, CASE WHEN closed_file_id = file_id AND is_private = ${flagFor("public")} THEN 1 ELSE 0 END AS is_closed
        FROM photos WHERE id IN (${list(photoIDs)})`);
      const cropped = rows.filter((row) => row.is_cropped === 1).map(idOf);
      const whole = rows.filter((row) => row.is_cropped === 0);
      const others = await findCropped(tx, cropped);
      const closed = await close(tx, callerID, cropped, (use) => use.kind !== "photo" || !others.has(use.id ?? 0));
      if (closed.length > 0)
        await tx.run(sql`
          UPDATE photos SET closed_file_id = file_id WHERE id IN (${list(cropped)}) AND file_id IN (${list(closed)})`);
      if (whole.length > 0)
        await tx.run(sql`UPDATE photos SET closed_file_id = NULL WHERE id IN (${list(whole.map(idOf))})`);
      const reopened = whole.filter((row) => row.is_closed === 1).map(idOf);
      if (reopened.length === 0 || (await keepsOriginalsPrivate(tx))) return closed.length > 0;
      return (await open(tx, callerID, reopened)) || closed.length > 0;
    },

    async followNew(tx, callerID, { photo, isOriginalPrivate }, { visibility, original }) {
      const { id } = photo;
      if (original === "keep" || !(isOriginalPrivate || visibility === "private")) return photo;
      const isCounted = (use: Use) => !(isOriginalPrivate && use.kind === "photo");
      return (await close(tx, callerID, [id], isCounted)).length > 0
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

  /**
   * Makes the originals of photos private that no public record uses, and returns their ids. Photos need not count: a public
   * one shows the picture of a private file of the same owner.
   */
  async function close(
    tx: Queries,
    callerID: number,
    photoIDs: number[],
    counts: (use: Use) => boolean,
  ): Promise<number[]> {
    const files = await lockOriginals(tx, photoIDs, sql`files.is_private <> ${flagFor("private")}`);
    const used = await findUsed(tx, files, null, counts);
    const unused = files.filter(({ id }) => !used.has(id));
    await setVisibility(tx, callerID, unused, "private");
    return unused.map(({ id }) => id);
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

const idOf = ({ id }: { id: number }): number => id;

/** The ids of all photos that show a part of the originals of these photos. */
async function findCropped(tx: Queries, photoIDs: number[]): Promise<Set<number>> {
  const files = (await selectOriginals(tx, photoIDs)).map(({ fileID }) => fileID);
  const rows = await inChunks(files, (some) =>
    tx.all<{ id: number }>(sql`
      SELECT id FROM photos WHERE file_id IN (${list(some)}) AND ${unindexed("is_cropped")} = 1 AND trash_id IS NULL`),
  );
  return new Set(rows.map(idOf));
}

/** The originals that no photo of their owner shows in part. */
const isShownWhole = sql`NOT EXISTS (
  SELECT 1 FROM photos AS others WHERE others.file_id = files.id AND others.is_cropped = 1 AND others.trash_id IS NULL
    AND ${unindexed("others.owner_id")} = files.owner_id)`;

async function open(tx: Queries, callerID: number, photoIDs: number[]): Promise<boolean> {
  const files = await lockOriginals(tx, photoIDs, sql`files.is_private <> ${flagFor("public")} AND ${isShownWhole}`);
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
