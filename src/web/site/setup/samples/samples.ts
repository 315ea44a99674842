import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { findAlbums, trashAlbum } from "../../../../content/albums/store.ts";
import { findPosts } from "../../../../content/blog/store.ts";
import { trashPost } from "../../../../content/blog/write.ts";
import { root } from "../../../../content/files/rows.ts";
import { findByPath, findFiles, findFreeName, listTree, trashFile } from "../../../../content/files/store.ts";
import type { Intake } from "../../../../content/files/intake.ts";
import type { Images } from "../../../../core/images/read.ts";
import type { Notice } from "../../../../core/records/notice.ts";
import { findPhotos } from "../../../../content/photos/store.ts";
import { trashPhoto } from "../../../../content/photos/trash.ts";
import type { Database, Queries, Reader } from "../../../../platform/database/database.ts";
import { dropSetting, readSetting, storeSetting } from "../../../../platform/database/settings.ts";
import { withoutSharedDeadline } from "../../../../platform/deadline.ts";
import type { Log } from "../../../../platform/log.ts";
import { late } from "../../../../platform/once.ts";
import { startRenderer } from "../../../../platform/markdown/renderer.ts";
import type { Trash } from "../../../../core/trash/trash.ts";
import type { User } from "../../../../core/users/user.ts";
import { seesEverything } from "../../../../core/records/visibility.ts";
import type { Language } from "../../language.ts";
import { type Keep, type Sample, sampleDirectory, sampleKinds } from "./sample.ts";
import type { Round } from "./steps.ts";

const loadSteps = late(() => import("./steps.ts"));

type State = {
  ownerID: number;
  username: string;
  language: Language;
  /** The directory of the pictures, which is in the root. */
  directory: string;
  isDone: boolean;
  records: Sample[];
};

export type Samples = {
  /** Asks for samples, in the transaction that sets the site up. */
  request(tx: Queries, owner: User, language: Language): Promise<void>;
  /** Creates the samples that were asked for, in the background. */
  start(): void;
  /** Null if there are none. */
  read(): Promise<Pick<State, "isDone"> | null>;
  /** Moves the samples that were not edited to the trash. */
  remove(callerID: number): Promise<Removed>;
  /** Creates what is missing after a crash. */
  resume(): Promise<void>;
  close(): Promise<void>;
};

/** How many samples, and the records that were deleted for it, in the order in which they can be restored. */
type Removed = { count: number; records: { kind: Sample["kind"]; id: number }[] };

type Deps = {
  db: Database;
  intake: Intake;
  images: Images;
  trash: Trash;
  log: Log;
  stopping: AbortSignal;
};

const setting = "samples";

export const samplesNotice: Notice = {
  schema: z.enum(["creating", "complete"]).nullable().meta({
    description:
      "Whether the samples that a new site was started with are being created, or complete. Null if there are none, and for all but admins.",
    example: null,
  }),
  async read({ db }, { role }) {
    const state = role === "admin" ? await readState(db) : null;
    return state && (state.isDone ? "complete" : "creating");
  },
};

/**
 * Which records are samples is stored with each of them, in one transaction. So what was interrupted goes on with the next
 * record, and removing the samples while they are created stops that.
 */
export function createSamples({ db, intake, images, trash, log, stopping }: Deps): Samples {
  let working: Promise<void> | null = null;

  return {
    async request(tx, { id, username }, language) {
      const directory = await findFreeName(tx, root.id, sampleDirectory[language]);
      await store(tx, { ownerID: id, username, language, directory, isDone: false, records: [] });
    },
    start: () => void resume(),
    read: () => readState(db),
    remove,
    resume,
    close: async () => void (await working),
  };

  /** Never rejects. Only one process creates samples. */
  function resume(): Promise<void> {
    working ??= withoutSharedDeadline(() => db.runExclusively(setting, create))
      .catch(async (error: unknown) => {
        // They may have been removed while they were created.
        if (stopping.aborted || !(await readState(db))) return;
        log.error("creating the samples failed", { stack: (error as Error).stack });
      })
      .finally(() => {
        working = null;
      });
    return working;
  }

  async function create(): Promise<void> {
    const wanted = await readState(db);
    if (!wanted || wanted.isDone) return;
    const { ownerID, username } = wanted;
    const caller = { id: ownerID, username, role: "admin" as const, tokenID: "" };
    // Loaded here, because most servers never create samples.
    const { createRounds } = await loadSteps();
    const renderer = startRenderer();
    try {
      for (const round of createRounds({ db, intake, images, renderer }, caller, wanted)) await finish(round);
    } finally {
      renderer.close();
    }
    await db.transaction((tx) => change(tx, async (state) => ({ ...state, isDone: true })));
  }

  /** Takes the steps of a round that are missing, a few of them at once. */
  async function finish({ steps, atOnce }: Round): Promise<void> {
    const known = (await readState(db))?.records ?? [];
    const missing = steps.filter(({ name }) => !known.some((record) => record.name === name)).values();
    const work = async () => {
      for (const { name, run } of missing) {
        stopping.throwIfAborted();
        await run(known, keepWith(name));
        await setImmediate();
      }
    };
    // All have ended before this fails, so that none writes after the database was closed.
    const ended = await Promise.allSettled(Array.from({ length: atOnce }, work));
    for (const result of ended) if (result.status === "rejected") throw result.reason;
  }

  function remove(callerID: number): Promise<Removed> {
    return db.transaction(
      async (tx) => {
        await tx.lock(setting);
        const state = await readState(tx);
        if (!state) return { count: 0, records: [] };
        const unchanged = await findUnchanged(tx, state.records);
        const directory = await findWholeDirectory(tx, state, unchanged);
        const records: Removed["records"] = sampleKinds
          .flatMap((kind) => unchanged.filter((record) => record.kind === kind))
          .filter(({ kind }) => kind !== "file" || !directory)
          .map(({ kind, id }) => ({ kind, id }));
        if (directory) records.push({ kind: "file", id: directory.id });
        for (const { kind, id } of records) await trashers[kind](tx, trash, id, callerID);
        await dropSetting(tx, setting);
        return { count: unchanged.length, records: records.toReversed() };
      },
      { isLong: true },
    );
  }
}

const trashers = { post: trashPost, album: trashAlbum, photo: trashPhoto, file: trashFile };
const finders = { post: findPosts, album: findAlbums, photo: findPhotos, file: findFiles };

/** The samples that still exist and were not edited, without the files of photos that stay. */
async function findUnchanged(db: Reader, records: Sample[]): Promise<Sample[]> {
  const unchanged: Sample[] = [];
  const shownFiles = new Set<number | null>();
  for (const kind of sampleKinds) {
    const some = records.filter((record) => record.kind === kind);
    const ids = some.map(({ id }) => id);
    const found: Map<number, { updatedAt: string; fileID?: number | null }> = await finders[kind](
      db,
      seesEverything,
      ids,
    );
    for (const record of some) {
      const current = found.get(record.id);
      if (current?.updatedAt !== record.updatedAt) shownFiles.add(current?.fileID ?? null);
      else if (kind !== "file" || !shownFiles.has(record.id)) unchanged.push(record);
    }
  }
  return unchanged;
}

/** The directory of the pictures, if nothing else is in it. */
async function findWholeDirectory(db: Reader, { directory, ownerID }: State, unchanged: Sample[]) {
  const found = await findByPath(db, seesEverything, [directory]);
  if (found?.ownerID !== ownerID) return null;
  const files = new Set(unchanged.flatMap(({ kind, id }) => (kind === "file" ? id : [])));
  const entries = await listTree(db, found.id, files.size + 1);
  return entries.every(({ id }) => files.has(id)) ? found : null;
}

const keepWith =
  (name: string): Keep =>
  (tx, write) =>
    change(tx, async (state) => {
      if (state.records.some((record) => record.name === name)) throw new Error(`The sample ${name} exists already.`);
      return { ...state, records: [...state.records, { name, ...(await write()) }] };
    });

/** Changes which records are samples. Throws if the samples have been removed since. */
async function change(tx: Queries, edit: (state: State) => Promise<State>): Promise<void> {
  await tx.lock(setting);
  const state = await readState(tx);
  if (!state) throw new Error("The samples were removed while they were created.");
  await store(tx, await edit(state));
}

async function readState(db: Reader): Promise<State | null> {
  const text = await readSetting(db, setting);
  return text === null ? null : (JSON.parse(text) as State);
}

const store = (tx: Queries, state: State): Promise<void> => storeSetting(tx, setting, JSON.stringify(state));
