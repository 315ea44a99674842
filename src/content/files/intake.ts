import { recordActivity } from "../../core/activity/record.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import {
  type Incoming,
  type NewIncoming,
  receiveIncoming,
  type Source,
  storeTogether,
} from "../../core/storage/incoming.ts";
import { checkQuota, type StorageLimits } from "../../core/storage/quota.ts";
import { type MeasureFreed, noReservation, openReservation, type Reservation } from "../../core/storage/reservation.ts";
import { detectContentType } from "./content-type.ts";
import { ensureDirectory } from "./directories.ts";
import { insertNewFiles } from "./insert-many.ts";
import { seesEverything, type Visibility } from "../../core/records/visibility.ts";
import type { StoredFile } from "./file.ts";
import { type Content, findByPath, findFreeName, getFile, insertFile, lockFile, replaceContent } from "./store.ts";
import { lockReplaced, type Target } from "./target.ts";
import { assignFile, updateFile } from "./update.ts";
import { getVersion, measureRemoved, removeVersion, whenReplacing } from "./versions.ts";

/** Where received bytes go: to a path, where the caller will own a new file, or into a file that exists. */
type Destination =
  | {
      caller: Caller;
      target: Target;
      /** The bytes count towards the caller's quota already, as an unfinished upload of this length. */
      countedBytes?: number;
    }
  | {
      callerID: number;
      file: StoredFile;
      /** Throws if the content, as it is when it would be replaced, must stay. */
      check(current: StoredFile): void;
    };

/** Calls `place` to write the file, with what else belongs in the same transaction. */
type Write<Result> = (tx: Queries, place: () => Promise<StoredFile>) => Promise<Result>;

/** The one way in which bytes become the content of a file. */
export type Intake = {
  maxUploadBytes: number;
  /** Receives bytes. They are reserved in the quota of the file's owner before they are written. */
  receive(source: Source, destination: Destination): Promise<NewIncoming>;
  /**
   * Stores bytes as a file and reads the image in them. For a new file it does not wait for that. A file that existed may be
   * on show: its new content is known when this resolves.
   */
  store(incoming: Incoming, destination: Destination): Promise<StoredFile>;
  /** The same as a part of a larger transaction. */
  storeWith<Result>(incoming: Incoming, destination: Destination, write: Write<Result>): Promise<Result>;
  /**
   * Stores several new files in one transaction, with what `write` adds to it. The name of none of them may be taken. The
   * activity has none of them.
   */
  storeAll<Result>(
    caller: Caller,
    sent: { incoming: NewIncoming; target: Target }[],
    write: (tx: Queries, files: StoredFile[]) => Promise<Result>,
  ): Promise<Result>;
  /** Makes a version the content of its file again. What the file holds becomes a version: no more space is needed. */
  restore(
    callerID: number,
    fileID: number,
    versionID: number,
    transaction: Database["transaction"],
  ): Promise<StoredFile>;
};

type Reserved = Content & Pick<Incoming, "reservedFor">;
type Replacement = Reserved & { visibility?: Visibility | undefined };
type Placed = { file: StoredFile; isNew: boolean };
type Deps = {
  db: Database;
  blobs: Pick<Blobs, "receive" | "removeUnused">;
  images: Pick<Images, "readAhead">;
  limits: StorageLimits;
};

export function createIntake({ db, blobs, images, limits }: Deps): Intake {
  const { maxUploadBytes, quotaBytes, versionsKept } = limits;

  return {
    maxUploadBytes,
    receive: async (source, destination) => receiveIncoming(db, blobs, source, await reserve(destination)),
    store: (incoming, destination) => storeWith(incoming, destination, (_tx, place) => place()),
    storeWith,
    async storeAll(caller, sent, write) {
      const added = sent.map(({ incoming, target }) => ({ target, content: contentOf(incoming, target.name) }));
      const result = await storeTogether(
        db,
        sent.map(({ incoming }) => incoming),
        async (tx) => {
          const files = await insertNewFiles(tx, caller, added);
          await checkQuota(tx, { ownerID: caller.id, quotaBytes }, { isReserved: true });
          return write(tx, files);
        },
      );
      for (const { target, content } of added) void images.readAhead({ ...content, name: target.name });
      return result;
    },
    async restore(callerID, fileID, versionID, transaction) {
      const restored = await transaction(async (tx) => {
        const file = await lockFile(tx, fileID);
        const version = await getVersion(tx, fileID, versionID);
        await removeVersion(tx, versionID);
        await replaceContent(tx, file, version, versionsKept);
        recordActivity(tx, callerID, "changed", { ...file, kind: "file" });
        return getFile(tx, seesEverything, fileID);
      });
      await images.readAhead(restored);
      return restored;
    },
  };

  /** By what is known before the bytes come. They count for the owner of the file that they replace, or for the caller. */
  async function reserve(destination: Destination): Promise<Reservation> {
    if (quotaBytes === null) return noReservation;
    const open = (ownerID: number, freed?: MeasureFreed) => openReservation(db, { ownerID, quotaBytes }, freed);
    const openReplacing = (file: StoredFile) => open(file.ownerID, whenReplacing(file, versionsKept));
    if ("file" in destination) return openReplacing(destination.file);
    const { caller, target, countedBytes } = destination;
    if (countedBytes !== undefined) return open(caller.id, async () => countedBytes);
    const replaced =
      target.onConflict === "replace" ? await findByPath(db, caller, [...target.path, target.name]) : null;
    if (replaced && isOwnerOrAdmin(caller, replaced)) return openReplacing(replaced);
    return caller.role === "admin" ? noReservation : open(caller.id);
  }

  async function storeWith<Result>(incoming: Incoming, destination: Destination, write: Write<Result>) {
    const { name } = "file" in destination ? destination.file : destination.target;
    const content = contentOf(incoming, name);
    let isNew = false;
    const result = await incoming.store((tx) =>
      write(tx, async () => {
        const placed = await place(tx, destination, content);
        ({ isNew } = placed);
        return placed.file;
      }),
    );
    const reading = images.readAhead({ ...content, name });
    if (!isNew) await reading;
    return result;
  }

  function contentOf({ sha256, size, head, reservedFor }: Incoming, name: string): Reserved {
    return { sha256, size, contentType: detectContentType(head, name), reservedFor };
  }

  async function place(tx: Queries, destination: Destination, content: Reserved): Promise<Placed> {
    if ("file" in destination) {
      const current = await lockFile(tx, destination.file.id);
      destination.check(current);
      return replace(tx, destination.callerID, current, content);
    }
    const { caller, target } = destination;
    const directory = await ensureDirectory(tx, caller, target.path, target.visibility);
    const replaced = await lockReplaced(tx, caller, directory.id, { ...target, sha256: content.sha256 });
    if (replaced) return replace(tx, caller.id, replaced, { ...content, visibility: target.visibility });
    const name = await findFreeName(tx, directory.id, target.name);
    const file = await insertFile(tx, {
      directory,
      name,
      ownerID: caller.id,
      content,
      visibility: target.visibility,
    });
    await checkQuota(tx, { ownerID: caller.id, quotaBytes }, { isReserved: true });
    return { file, isNew: true };
  }

  async function replace(tx: Queries, callerID: number, file: StoredFile, content: Replacement): Promise<Placed> {
    const { visibility = file.visibility } = content;
    const isShownDifferently = visibility !== file.visibility;
    if (content.sha256 === file.sha256) {
      return { file: isShownDifferently ? await updateFile(tx, callerID, file, { visibility }) : file, isNew: false };
    }
    if (isShownDifferently) await assignFile(tx, file, { visibility });
    const quota = { ownerID: file.ownerID, quotaBytes };
    if (content.reservedFor !== file.ownerID) {
      // An admin replaces the file of another owner, which was not known when the bytes came: they were not reserved.
      const measureFreed = () => measureRemoved(tx, file, versionsKept);
      await checkQuota(tx, quota, { moreBytes: content.size, measureFreed });
    }
    await replaceContent(tx, file, content, versionsKept);
    recordActivity(tx, callerID, "changed", { ...file, kind: "file" });
    await checkQuota(tx, quota, { isReserved: true });
    return { file: await getFile(tx, seesEverything, file.id), isNew: false };
  }
}
