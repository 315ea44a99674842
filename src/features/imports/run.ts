import { setImmediate, setTimeout } from "node:timers/promises";
import { Problem } from "../../platform/errors.ts";
import { findFiles } from "../../content/files/store.ts";
import type { FileRecord } from "../../content/files/file.ts";
import { explainType, type Image, isImage, isVideo } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Originals } from "../../content/photos/originals.ts";
import { findPhotoIDs } from "../../content/photos/store.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import type { Log } from "../../platform/log.ts";
import { findImporter } from "./importer.ts";
import { makePhoto } from "./make-photo.ts";
import {
  addFound,
  type Child,
  type Claim,
  claimImport,
  type Found,
  listDue,
  listNext,
  listUnclaimed,
  type Listing,
  LostClaim,
  pauseImport,
  pauseOrFinish,
  postponeFile,
  releaseClaims,
  settleFile,
  type Waiting,
} from "./progress.ts";

const filesAtOnce = 8;
const second = 1000;
/** The pause after an error that was not caused by a file. */
const pauseMilliseconds = 10 * second;
/** The delay after each temporary failure of a file; after one more failure, the file is left for another import. */
const delays = [10 * second, 60 * second, 300 * second, 1800 * second];

export type Imports = {
  /** Starts or continues an import. */
  begin(id: number): void;
  /** Resolves when the import finishes or pauses, or after `milliseconds`. */
  wait(id: number, milliseconds: number): Promise<void>;
  /** Continues the imports that no process is working on, because their process or their pause has ended. */
  resume(): Promise<void>;
  /** Stops after the current step; the next start, or another copy of the server, does the rest. */
  close(): Promise<void>;
};

/**
 * Runs imports in small steps and in turn, so that a long import does not delay a short one. Each step is one directory
 * listing or a few files and is stored in the database, so that an import survives the end of its process.
 */
export function createImports(db: Database, images: Images, originals: Originals, log: Log): Imports {
  const by = crypto.randomUUID();
  const queue: number[] = [];
  const current = new Map<number, PromiseWithResolvers<void>>();
  const stopping = new AbortController();
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    for (let id = queue.shift(); id !== undefined && !stopping.signal.aborted; id = queue.shift()) {
      // Lets requests run: the database may return without yielding to the event loop.
      await setImmediate();
      if (await takeStep(id)) queue.push(id);
      else {
        current.get(id)?.resolve();
        current.delete(id);
      }
    }
    working = null;
  }

  /** Returns whether there is more to do now. */
  async function takeStep(id: number): Promise<boolean> {
    try {
      const claim = await claimImport(db, id, by);
      const caller = claim && (await findImporter(db, claim));
      if (!claim || !caller) return false;
      const listing = await listNext(db, claim, caller);
      if (listing) {
        await saveListing(claim, caller, listing);
        return true;
      }
      const due = await listDue(db, id, filesAtOnce);
      if (due.length > 0 && (await importFiles(claim, caller, due))) return true;
      await pauseOrFinish(db, claim);
      return false;
    } catch (error) {
      if (error instanceof LostClaim) return false;
      log.error("import failed", { import: id, stack: (error as Error).stack });
      // If this fails as well, the claim expires.
      await pauseImport(db, { id, by }, Date.now() + pauseMilliseconds).catch(() => {});
      return false;
    }
  }

  async function saveListing(claim: Claim, caller: Caller, listing: Listing): Promise<void> {
    const files = listing.children.filter(({ isDirectory }) => !isDirectory);
    const shown = await findPhotoIDs(
      db,
      caller.id,
      files.map(({ id }) => id),
    );
    const found = files.map((file) => classify(file, shown));
    await db.transaction((tx) => addFound(tx, claim, listing, found));
  }

  /** Returns whether at least one file has an outcome. If all are postponed, the other files would fail as well. */
  async function importFiles(claim: Claim, caller: Caller, due: Waiting[]): Promise<boolean> {
    const files = await findFiles(
      db,
      caller,
      due.map(({ id }) => id),
    );
    const examined = await Promise.all(due.map(({ id }) => examine(files.get(id))));
    // An error during shutdown is not a failure of the file.
    if (stopping.signal.aborted) return false;
    let hasProgress = false;
    for (const [index, waiting] of due.entries()) {
      const result = examined[index] as Examined;
      if (result.kind === "later") await postpone(claim, waiting, result.reason);
      else await settle(claim, caller, waiting, result);
      if (result.kind !== "later") hasProgress = true;
    }
    return hasProgress;
  }

  type Examined =
    | { kind: "image"; file: FileRecord; image: Image; width: number; height: number }
    | { kind: "refused" | "later"; reason: string };

  async function examine(file: FileRecord | undefined): Promise<Examined> {
    if (!file) return { kind: "refused", reason: inTrash };
    try {
      const image = await images.read(file);
      const { width, height, failure } = image ?? {};
      if (image && width && height) return { kind: "image", file, image, width, height };
      return { kind: "refused", reason: failure ?? explainType(file.contentType) };
    } catch (error) {
      const isKnown = error instanceof Problem;
      if (isKnown && !["busy", "unavailable", "full"].includes(error.code))
        return { kind: "refused", reason: error.message };
      if (!isKnown) log.error("import failed", { file: file.id, stack: (error as Error).stack });
      return { kind: "later", reason: isKnown ? error.message : "The server failed to read it." };
    }
  }

  async function postpone(claim: Claim, { id, attempts }: Waiting, reason: string): Promise<void> {
    const delay = delays[attempts];
    const tryAt = delay === undefined ? null : Date.now() + delay;
    await db.transaction((tx) => postponeFile(tx, claim, id, { reason, tryAt }));
  }

  /** In a transaction of its own. The file may have been imported or deleted in the meantime. */
  async function settle(
    claim: Claim,
    caller: Caller,
    { id: fileID, details }: Waiting,
    result: Examined,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const finish = (outcome: "imported" | "exists" | "refused", reason: string | null, photoID: number | null) =>
        settleFile(tx, claim, fileID, { outcome, reason, photoID });
      if (result.kind !== "image") return finish("refused", result.reason, null);
      const made = await makePhoto(tx, originals, caller, { ...result, details });
      if (!made) return finish("refused", inTrash, null);
      return made.isNew ? finish("imported", null, made.photoID) : finish("exists", alreadyImported, null);
    });
  }

  function begin(id: number): void {
    if (stopping.signal.aborted || current.has(id)) return;
    current.set(id, Promise.withResolvers<void>());
    queue.push(id);
    working ??= withoutSharedDeadline(work);
  }

  return {
    begin,
    async wait(id, milliseconds) {
      const deadline = new AbortController();
      await Promise.race([current.get(id)?.promise, setTimeout(milliseconds, null, { signal: deadline.signal })]);
      deadline.abort();
    },
    async resume() {
      for (const id of await listUnclaimed(db)) begin(id);
    },
    async close() {
      stopping.abort();
      await working;
      // If this fails, the claims expire.
      await releaseClaims(db, by).catch(() => {});
    },
  };
}

const alreadyImported = "It is already one of your photos.";
const inTrash = "It is in the trash.";

/** The outcome that is known without reading the file. */
function classify(file: Child, shown: Map<number, number>): Found {
  const { id, name } = file;
  if (shown.has(id)) return { id, name, outcome: "exists", reason: alreadyImported };
  if (!isImage(file.contentType) && !isVideo(file.contentType))
    return { id, name, outcome: "refused", reason: explainType(file.contentType) };
  return { id, name, outcome: "waiting", reason: null };
}
