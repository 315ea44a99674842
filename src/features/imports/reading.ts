import { setImmediate, setTimeout } from "node:timers/promises";
import { parsePath } from "../../content/files/names.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Lease } from "../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import { Problem } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { findAuthors } from "./authors.ts";
import { findImporter } from "./importer.ts";
import { addItems, Cancelled, closeImport, type Settled } from "./items-store.ts";
import { createProgressKeeper, totalsOf } from "./keep-progress.ts";
import { type MoveDeps, moveIn, type Report } from "./move-in.ts";
import { openPlanned } from "./open-planned.ts";
import type { ReadingSite } from "./open-source.ts";
import type { Plan } from "./plan.ts";
import type { Dirs } from "./server-folder.ts";
import {
  countBegin,
  failImport,
  findPlanned,
  forgetBegins,
  keyIsHere,
  listPlannedIDs,
  nameSource,
  noteFailure,
  type Planned,
  waitForKey,
} from "./plan-store.ts";
import { ProcessCrashed } from "../../platform/limited-process.ts";
import { ServerGone } from "./server-gone.ts";
import { undoImport } from "./undo.ts";

const atOnce = 3;
/** The delay after each failure that was not caused by the source; after one more, the import ends. */
const delays = [10_000, 60_000, 300_000, 1_800_000];
/** A full disk is not a failure: it goes on when there is space. */
const fullDelay = 10_000;
/** So often the source of an import is begun that ends with the process that reads it, and brings nothing new. */
const maxBegins = 2;
/** What a server that has ended has left is begun again only when the server has run for so long. */
const quietMs = 60_000;
/** A server that has a key says so more often than this. */
const keyIsHereMs = 60_000;

type Deps = MoveDeps & {
  blobs: Blobs;
  trash: Trash;
  dirs: Dirs & ReadingSite;
  /** Whether an old site may lie in a local network. */
  allowPrivate: boolean;
  log: Log;
  /** Called when the source of an import was read: photos can be made of what came last. */
  finished(id: number): void;
};

export type Reading = {
  /** Reads or undoes an import, unless enough others are at work: `resume` begins it then. */
  begin(id: number): void;
  /** The key of another server is kept until its import has ended, and nowhere else. */
  giveKey(id: number, key: string): Promise<void>;
  /** Resolves when the source was read, or after `milliseconds`. */
  wait(id: number, milliseconds: number): Promise<void>;
  resume(): Promise<void>;
  /** Stops after the current batch; the next start, or another copy of the server, goes on. */
  close(): Promise<void>;
};

type Reported = {
  owner: Caller;
  isDryRun: boolean;
  keep: ReturnType<typeof createProgressKeeper>;
  lease: Lease;
};

class Closing extends Error {}

/** Reads the sources of imports that were planned by requests, and undoes imports. Of several servers, one works on each. */
export function createReading(deps: Deps): Reading {
  const { db, trash, originals, log, finished } = deps;
  const working = new Map<number, Promise<void>>();
  const failures = new Map<number, { count: number; retryAt: number }>();
  const keys = new Map<number, string>();
  const arriving = new Set<number>();
  /** Those that somebody has asked for since the start. */
  const asked = new Set<number>();
  const started = performance.now();
  const stopping = new AbortController();

  function begin(id: number): void {
    if (stopping.signal.aborted || working.has(id) || working.size >= atOnce) return;
    if ((failures.get(id)?.retryAt ?? 0) > Date.now()) return;
    let hasWorked = false;
    const perform = async (lease: Lease) => {
      hasWorked = await settle(id, lease);
    };
    const work = withoutSharedDeadline(() => db.runExclusively(`import ${id}`, perform))
      .catch((error: unknown) => log.error("import failed", { import: id, stack: (error as Error).stack }))
      .finally(() => {
        working.delete(id);
        // One that was cancelled may wait to be undone, and others for their turn.
        if (hasWorked && !stopping.signal.aborted) void resume().catch(() => {});
      });
    working.set(id, work);
  }

  /** Returns whether there was something to do. */
  async function settle(id: number, lease: Lease): Promise<boolean> {
    const planned = await findPlanned(db, id);
    if (!planned) {
      keys.delete(id);
      asked.delete(id);
      return false;
    }
    if (planned.plan?.server && !planned.isUndone && !keys.has(id)) {
      // It is about to come, or another copy of the server has it, and waits for its turn.
      const isElsewhere = arriving.has(id) || (db.isShared && planned.updatedAt > Date.now() - keyIsHereMs);
      if (!isElsewhere) await waitForKey(db, id, null);
      return false;
    }
    if (!planned.isUndone && !asked.has(id) && performance.now() - started < quietMs) return false;
    try {
      const owner = planned.isUndone ? null : await findImporter(db, planned);
      if (planned.isUndone) await undoImport({ db, trash, originals }, id, () => checkUndo(id, lease));
      else if (owner && planned.plan) await read(planned, planned.plan, owner, lease);
      failures.delete(id);
    } catch (error) {
      await settleFailure(id, error);
    }
    return true;
  }

  /** A server that ends, or somebody who has changed their mind, leaves the rest for another time. */
  async function checkUndo(id: number, lease: Lease): Promise<void> {
    if (stopping.signal.aborted) throw new Closing();
    await lease.check();
    if (!(await findPlanned(db, id))?.isUndone) throw new Cancelled();
  }

  async function settleFailure(id: number, error: unknown): Promise<void> {
    if (error instanceof ProcessCrashed && !stopping.signal.aborted) {
      log.error("import failed", { import: id, stack: error.stack });
      // It is begun again at once: begins are counted.
      return;
    }
    // There may be no space for that.
    await forgetBegins(db, id).catch(() => {});
    if (error instanceof Closing || error instanceof Cancelled || stopping.signal.aborted) return;
    if (error instanceof ServerGone) return settleGone(id, error);
    if (error instanceof Problem && error.code === "invalid") return failImport(db, id, error.message);
    const { count } = failures.get(id) ?? { count: 0 };
    if (error instanceof Problem && error.code === "full") {
      failures.set(id, { count, retryAt: Date.now() + fullDelay });
      // There may be no space for that either.
      return noteFailure(db, id, waitsForSpace).catch(() => {});
    }
    const delay = delays[count];
    log.error("import failed", { import: id, stack: (error as Error).stack });
    if (delay === undefined) return failImport(db, id, error instanceof Problem ? error.message : serverFailed);
    failures.set(id, { count: count + 1, retryAt: Date.now() + delay });
  }

  /** A server that was named may be off for a while. After that, somebody has to say that it is back, and to give the key. */
  async function settleGone(id: number, { message, isKeyRefused }: ServerGone): Promise<void> {
    const { count } = failures.get(id) ?? { count: 0 };
    const delay = isKeyRefused ? undefined : delays[count];
    if (delay === undefined) {
      keys.delete(id);
      failures.delete(id);
      return waitForKey(db, id, message);
    }
    await noteFailure(db, id, message);
    failures.set(id, { count: count + 1, retryAt: Date.now() + delay });
  }

  async function read({ id }: Planned, plan: Plan, owner: Caller, lease: Lease): Promise<void> {
    if ((await countBegin(db, id)) > maxBegins) return failImport(db, id, endedEachTime);
    const access = { key: keys.get(id) ?? "", signal: stopping.signal };
    await using origin = await openPlanned(deps, plan, owner, access);
    const { name, directory } = origin.head;
    const to = parsePath(plan.to ?? directory, "to");
    const authors = await findAuthors(db, plan.authors ?? []);
    const source = origin.open(`${name ?? directory} → /${to.join("/")}`);
    await nameSource(db, id, source);
    if (plan.server) await noteFailure(db, id, null);
    const keep = createProgressKeeper(db, () => totalsOf(source.totals));
    const report = createReport(id, { owner, isDryRun: plan.dryRun, keep, lease });
    await moveIn(deps, source, { owner, to, isDryRun: plan.dryRun, importID: id, authors }, report);
    if (plan.dryRun) await db.transaction((tx) => closeImport(tx, id));
    else finished(id);
  }

  function createReport(id: number, { owner, isDryRun, keep, lease }: Reported): Report {
    const planned: Settled[] = [];
    return {
      settled: (item) => void (isDryRun && planned.push(item)),
      async progress(done, isEnd) {
        if (stopping.signal.aborted) throw new Closing();
        await lease.check();
        const items = planned.splice(0).map((item) => ({ ...item, recordID: null }));
        const origin = { ownerID: owner.id, source: null };
        if (items.length > 0) await db.transaction((tx) => addItems(tx, id, origin, items));
        await keep(id, done, isEnd);
        // Lets requests run: the database may return without yielding to the event loop.
        await setImmediate();
      },
    };
  }

  async function resume(): Promise<void> {
    const held = [...keys.keys()];
    const ids = await listPlannedIDs(db);
    for (const id of held) {
      if (!ids.includes(id)) keys.delete(id);
      else if (db.isShared && !working.has(id)) await keyIsHere(db, id);
    }
    for (const id of ids) begin(id);
  }

  return {
    begin(id) {
      asked.add(id);
      begin(id);
    },
    async giveKey(id, key) {
      failures.delete(id);
      arriving.add(id);
      await keyIsHere(db, id).finally(() => arriving.delete(id));
      keys.set(id, key);
    },
    async wait(id, milliseconds) {
      const deadline = new AbortController();
      await Promise.race([working.get(id), setTimeout(milliseconds, null, { signal: deadline.signal })]);
      deadline.abort();
    },
    resume,
    async close() {
      stopping.abort(new Closing());
      keys.clear();
      await Promise.all(working.values());
    },
  };
}

const waitsForSpace =
  "The disk of the server is full. What was imported so far is kept, and the rest follows when there is space.";
const endedEachTime =
  "Reading it was begun twice and brought nothing new, because the server or the program that reads it has crashed or was killed each time. What was imported is kept. To go on, start an import of the same source; if that ends like this, too, the source is damaged, or made to end what reads it.";
const serverFailed = "The server failed to read it several times: its log says why.";
