import { setImmediate } from "node:timers/promises";
import { parsePath } from "../../content/files/names.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Result, Running } from "../../platform/jobs/queue.ts";
import { watchMemory } from "../../platform/release-memory.ts";
import { LostTask } from "../../platform/jobs/tasks.ts";
import { late } from "../../platform/once.ts";
import { ProcessCrashed } from "../../platform/pipes/limited-process.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { type Plan, parsePlan } from "./import.ts";
import type { ItemResult } from "./items.ts";
import type { PlannedSources } from "./planned-source.ts";
import type { ImportReport, RunDeps } from "./run-import.ts";
import { ServerGone } from "../../platform/pipes/failures.ts";
import { Cancelled, changeUnfinished, closeImport, findUnfinished, isUndoing } from "./store.ts";
import { sourceTask, sourceTasks } from "./tasks.ts";

// Most servers import nothing.
const loadUndo = late(() => import("./undo.ts"));
const loadReading = late(() =>
  Promise.all([import("./import-people.ts"), import("./items.ts"), import("./progress.ts"), import("./run-import.ts")]),
);

/** A full disk is not a failure: it goes on when there is space. */
const fullDelayMs = 10_000;

/** Others use the server meanwhile, which must not need much more memory for that. */
const filesBetween = 250;

type Deps = RunDeps & {
  trash: Trash;
  planned(): Promise<PlannedSources>;
  /** Called when there may be new files of which photos are made. */
  wakePhotos(): void;
  log: Log;
  metrics: Metrics;
};

export type SourceImports = Awaited<ReturnType<typeof startSourceImports>>;

/** Reads the sources of imports that were planned by requests, and undoes imports. Of several servers, one works on each. */
export async function startSourceImports(deps: Deps) {
  const { db, log } = deps;
  /** The keys of other servers are kept until their imports have ended, and nowhere else. */
  const keys = new Map<number, string>();
  // The keys of a server that has ended are gone.
  if (!db.isShared) await askForKeys(db);
  const worker = await sourceTasks.start(deps, {
    async run({ group: id }, running) {
      const result = await work(id, running).catch((error: unknown) => {
        if (running.signal.aborted) throw error;
        return resultOf(id, error);
      });
      if (result.kind === "done") keys.delete(id);
      return result;
    },
    async givenUp(tx, { group: id }, { isCrash, reason }) {
      const isServer = keys.delete(id);
      if (isCrash) await changeUnfinished(tx, id, { failure: endedEachTime, isEnd: true });
      else await changeUnfinished(tx, id, { failure: reason, ...(isServer ? { needsKey: true } : { isEnd: true }) });
    },
  });

  async function work(id: number, running: Running): Promise<Result<null>> {
    if (await isUndoing(db, id)) {
      const { undoImport } = await loadUndo();
      await undoImport(deps, id, async () => {
        await running.check();
        // Somebody has changed their mind: the rest stays for another time.
        if (!(await isUndoing(db, id))) throw new Cancelled();
      });
      return { kind: "done" };
    }
    const { plan, owner, isRead } = (await findUnfinished(db, id)) ?? {};
    if (!plan || !owner || isRead) return { kind: "done" };
    if (plan.server && !keys.has(id)) return end((tx) => changeUnfinished(tx, id, { needsKey: true }));
    return read(id, { plan, owner, running });
  }

  async function read(
    id: number,
    { plan, owner, running }: { plan: Plan; owner: Caller; running: Running },
  ): Promise<Result<null>> {
    const [{ findAuthors }, { addItems }, { createProgressKeeper }, { nameOf, runImport }] = await loadReading();
    const opener = await deps.planned();
    await using source = await opener.open(plan, owner, { key: keys.get(id) ?? "", signal: running.signal });
    const { head, totals } = source;
    const to = parsePath(plan.to ?? head.directory, "to");
    const authors = await findAuthors(db, plan.authors ?? []);
    const name = nameOf(head, to, head.directory);
    await db.transaction((tx) =>
      tx.run(sql`UPDATE imports SET kind = ${head.program}, source = ${name}, failure = NULL WHERE id = ${id}`),
    );
    const keep = createProgressKeeper(db, totals, running.advanced);
    const memory = watchMemory(db.releaseMemory, filesBetween);
    const planned: ItemResult[] = [];
    const report: ImportReport = {
      item: (item) => void (plan.dryRun && planned.push({ ...item, recordID: null })),
      async progress(done, isEnd) {
        await running.check();
        const items = planned.splice(0);
        const noSource = { owner, importID: id, source: null };
        if (items.length > 0) await db.transaction((tx) => addItems(tx, noSource, items));
        await keep(id, done, isEnd);
        deps.wakePhotos();
        memory.releaseAfter(done.added + done.changed, done.known);
        // Lets requests run: the database may return without yielding to the event loop.
        await setImmediate();
      },
    };
    await runImport(deps, source, { name, owner, to, isDryRun: plan.dryRun, importID: id, authors }, report);
    return end((tx) => closeImport(tx, id));
  }

  function resultOf(id: number, error: unknown): Result<null> {
    if (error instanceof LostTask) throw error;
    if (error instanceof Cancelled) return { kind: "done" };
    const code = error instanceof Problem ? error.code : null;
    const reason = error instanceof Problem ? error.message : serverFailed;
    const note = (tx: Queries) => changeUnfinished(tx, id, { failure: code === "full" ? waitsForSpace : reason });
    if (error instanceof ServerGone && error.isKeyRefused)
      return end((tx) => changeUnfinished(tx, id, { failure: reason, needsKey: true }));
    // A server that was named may be off for a while.
    if (error instanceof ServerGone) return { kind: "failed", reason, write: note };
    if (code === "invalid") return end((tx) => changeUnfinished(tx, id, { failure: reason, isEnd: true }));
    if (code === "full") return { kind: "again", afterMs: fullDelayMs, write: note };
    log.error("import failed", { import: id, stack: (error as Error).stack });
    return error instanceof ProcessCrashed ? { kind: "crashed" } : { kind: "failed", reason };
  }

  return {
    ...worker,
    async giveKey(id: number, key: string): Promise<void> {
      keys.set(id, key);
      await db.transaction(async (tx) => {
        await changeUnfinished(tx, id, { needsKey: false, failure: null });
        await worker.addHeld(tx, sourceTask(id));
      });
    },
    async close() {
      keys.clear();
      await worker.close();
    },
  };
}

const end = (write: (tx: Queries) => Promise<unknown>): Result<null> => ({ kind: "done", write });

async function askForKeys(db: Database): Promise<void> {
  const rows = await db.all<{ id: number; plan: string }>(sql`
    SELECT id, plan FROM imports WHERE finished_at IS NULL AND plan IS NOT NULL AND read_at IS NULL AND needs_key = 0`);
  const ids = rows.flatMap(({ id, plan }) => (parsePlan(plan)?.server ? [id] : []));
  if (ids.length === 0) return;
  await db.transaction(async (tx) => {
    for (const id of ids) {
      await sourceTasks.removeGroup(tx, id);
      await changeUnfinished(tx, id, { needsKey: true });
    }
  });
}

const waitsForSpace =
  "The disk of the server is full. What was imported so far is kept, and the rest follows when there is space.";
const endedEachTime =
  "Reading it was begun twice and brought nothing new, because the server or the program that reads it has crashed or was killed each time. What was imported is kept. To go on, start an import of the same source; if that ends like this, too, the source is damaged, or made to end what reads it.";
const serverFailed = "The server failed to read it several times: its log says why.";
