import { z } from "zod";
import type { ClockWatch } from "../../core/clock/clock.ts";
import type { SignupRole } from "../../core/settings/settings.ts";
import { fixedSettings, readSettings } from "../../core/settings/store.ts";
import { createKeptDirectory } from "../../platform/backups/kept-databases.ts";
import { workRootOf } from "../../platform/database-directory.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { readSetting, writeSetting } from "../../platform/database/settings.ts";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { runOwnCommand } from "../../platform/own-command.ts";
import { type Contents, contentsSchema, type Wanted } from "./contents.ts";
import type { Outcome } from "./restoring.ts";

const hour = 3_600_000;
const pauses = { day: 24 * hour, week: 7 * 24 * hour };
/** A backup at the same hour of every day is due a little before a day has passed. */
const early = hour / 2;
const listedMs = 60_000;
/** So long after the last search or restore, databases of backups stay extracted. */
const keptMs = 10 * 60_000;
const lastRunName = "last-backup-run";

const listedSchema = z.array(
  z.object({
    id: z.string(),
    createdAt: z.string(),
    version: z.string(),
    database: z.object({ bytes: z.int() }),
    files: z.object({ count: z.int(), bytes: z.int(), lost: z.array(z.string()) }),
  }),
);

type Listed = {
  id: string;
  createdAt: string;
  version: string;
  fileCount: number;
  bytes: number;
  lostFiles: number;
};

/** `error` is null if it has succeeded. */
const lastRunSchema = z.object({ startedAt: z.number(), endedAt: z.number(), error: z.string().nullable() });
type LastRun = z.output<typeof lastRunSchema>;

const outcomesSchema = z.object({
  outcomes: z.array(
    z.object({
      kind: z.string(),
      id: z.int(),
      name: z.string(),
      state: z.enum(["restored", "present", "trashed", "failed"]),
      newID: z.int().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

/** `backup` is the id of a backup; without it, it is the newest. */
type Chosen = { backup?: string | undefined; kind: string; id: number };

type Deps = {
  config: { backupTo: string | null; dataDir: string; databaseDir: string; signupRole: SignupRole | null };
  db: Database;
  log: Log;
  clock: Pick<ClockWatch, "areDeletionsHeld">;
  /** Ends a backup that is being made. */
  stopping: AbortSignal;
};

const conflict = (message: string) => new Problem("conflict", message);

export type Runner = ReturnType<typeof createRunner>;

/** Makes backups by the command line of this program, in a process of its own. */
export function createRunner({ config, db, log, clock, stopping }: Deps) {
  const { backupTo, dataDir } = config;
  let running: Promise<void> | null = null;
  let reading = Promise.resolve();
  const kept = createKeptDirectory(workRootOf(config), keptMs);
  let listed: { at: number; backups: Promise<Listed[]> } | null = null;

  return {
    place: backupTo,
    isRunning: () => running !== null,
    list,
    /** Begins a backup, unless one is being made. */
    start(): void {
      if (!backupTo) throw conflict("The server does not know where to store backups: set BACKUP_TO.");
      if (running) throw conflict("A backup is being made already.");
      void run();
    },
    /** For a job: makes a backup if one is due. */
    async runIfDue(): Promise<void> {
      const { backupEvery } = await readSettings(db, fixedSettings(config));
      if (!backupTo || backupEvery === "never" || running) return;
      const last = await readLastRun(db);
      if (last && Date.now() - last.startedAt < pauses[backupEvery] - early) return;
      await run();
    },
    /** The records of a backup whose names contain a text; without an id, of the newest one. */
    async contents(id: string | undefined, { search, kind, limit }: Wanted): Promise<Contents> {
      const words = ["--json", `--limit=${limit}`, ...(search ? [`--search=${search}`] : [])];
      const found = await read("contents", id, [...words, ...(kind === null ? [] : [`--kind=${kind}`])]);
      return contentsSchema.parse(JSON.parse(found.stdout));
    },
    /** Restores one record on behalf of an admin. The first outcome is that of the record itself. */
    async restore(admin: string, { backup, kind, id }: Chosen): Promise<Outcome[]> {
      const done = await read("restore", backup, ["--json", `--only=${kind}:${id}`, `--as=${admin}`]);
      return outcomesSchema.parse(JSON.parse(done.stdout)).outcomes;
    },
    async close(): Promise<void> {
      await Promise.all([running, reading]);
      await kept.close();
    },
  };

  /** One after another: each may extract the database of a backup. */
  async function read(name: string, id: string | undefined, words: string[]) {
    if (!backupTo) throw conflict("The server does not know where backups are: set BACKUP_TO.");
    const before = reading;
    const { promise, resolve } = Promise.withResolvers<void>();
    reading = promise;
    try {
      await before;
      const chosen = id === undefined ? [] : [`--snapshot=${id}`];
      const ended = await kept.use((directory) => {
        const keptIn = directory === null ? [] : [`--kept=${directory}`];
        return command(name, "--from", backupTo, ...keptIn, ...chosen, ...words);
      });
      // What could not be restored is in the output; without any, nothing could.
      if (ended.stdout.trim() === "") throw conflict(explainEnd(ended.stderr));
      return ended;
    } finally {
      resolve();
    }
  }

  function run(): Promise<void> {
    running ??= db
      .runExclusively("backup", make)
      .catch((error: unknown) => log.error("backup failed", { stack: (error as Error).stack }))
      .finally(() => (running = listed = null));
    return running;
  }

  async function make(): Promise<void> {
    const startedAt = Date.now();
    const { code, stdout, stderr } = await command("create", "--to", backupTo ?? "");
    if (stopping.aborted) return;
    // The last line says what is missing.
    const error =
      code === 0
        ? null
        : (stderr.trim() || stdout.trim())
            .split("\n")
            .at(-1)
            ?.replace(/^vitrine: /, "");
    if (error) log.error("backup failed", { reason: error });
    else log.info("backup made", { place: backupTo });
    await writeSetting(db, lastRunName, JSON.stringify({ startedAt, endedAt: Date.now(), error: error ?? null }));
    if (code === 0 && !(await clock.areDeletionsHeld())) await prune();
  }

  async function prune(): Promise<void> {
    const { days, weeks, months } = (await readSettings(db, fixedSettings(config))).backupsKept;
    const kept = ["--days", String(days), "--weeks", String(weeks), "--months", String(months)];
    const { code, stderr } = await command("prune", "--from", backupTo ?? "", ...kept);
    if (code !== 0) log.error("old backups could not be removed", { reason: stderr.trim() });
  }

  /** Newest first. Reading them from a bucket takes a while, so they are remembered for a minute. */
  function list(): Promise<Listed[]> {
    if (!backupTo) return Promise.resolve([]);
    if (!listed || Date.now() - listed.at > listedMs) listed = { at: Date.now(), backups: readList() };
    return listed.backups;
  }

  async function readList(): Promise<Listed[]> {
    const { code, stdout, stderr } = await command("list", "--from", backupTo ?? "", "--json");
    if (code !== 0) {
      listed = null;
      throw conflict(explainEnd(stderr));
    }
    return listedSchema.parse(JSON.parse(stdout)).map(toListed).toReversed();
  }

  function command(name: string, ...words: string[]) {
    return runOwnCommand(["backup", name, ...words, "--data", dataDir], { signal: stopping });
  }
}

const toListed = ({ id, createdAt, version, database, files }: z.output<typeof listedSchema>[number]): Listed => ({
  id,
  createdAt,
  version,
  fileCount: files.count,
  bytes: database.bytes + files.bytes,
  lostFiles: files.lost.length,
});

const explainEnd = (stderr: string): string =>
  stderr.trim().replace(/^vitrine: /, "") || "The backups could not be read: the log of the server says why.";

/** Null before the first one. */
export async function readLastRun(db: Reader): Promise<LastRun | null> {
  const value = await readSetting(db, lastRunName);
  return value === null ? null : lastRunSchema.parse(JSON.parse(value));
}
