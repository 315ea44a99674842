import { hostname } from "node:os";
import { version } from "../version.ts";
import type { Database, Reader } from "./database.ts";
import { databaseTime } from "./leases.ts";
import { sql } from "./sql.ts";
import { removeUnusedWritten } from "./watch-writes.ts";

export type ProgramKind = "server" | "migrate-engine";
export type Program = { id: string; kind: ProgramKind; version: string; host: string; seenAt: number };
/** A program that has stopped without removing its row counts as running for this long. */
const expiresAfter = 30_000;
const renewEvery = 10_000;
const lookEvery = 500;

export type Heartbeat = { id: string; stop(): Promise<void> };

/**
 * Shows other programs that this one uses the database, until `stop`. On SQLite it does nothing, because the lock of
 * the data directory keeps other programs out.
 */
export async function startHeartbeat(db: Database, kind: ProgramKind): Promise<Heartbeat> {
  if (db.engine === "sqlite") return { id: "", stop: async () => {} };
  const id = crypto.randomUUID();
  let running = renew();
  await running;
  const timer = setInterval(() => {
    // While the database is unavailable, the next heartbeat tries again.
    running = renew().catch(() => {});
  }, renewEvery);

  return {
    id,
    async stop() {
      clearInterval(timer);
      await running;
      // If this fails, the row expires.
      await db.transaction((tx) => tx.run(sql`DELETE FROM programs WHERE id = ${id}`)).catch(() => {});
    },
  };

  async function renew(): Promise<void> {
    await db.transaction(async (tx) => {
      tx.later(sql`DELETE FROM programs WHERE seen_at < ${databaseTime} - ${10 * expiresAfter}`);
      tx.later(removeUnusedWritten);
      await tx.run(sql`
        INSERT INTO programs (id, kind, version, host, seen_at)
        VALUES (${id}, ${kind}, ${version}, ${hostname()}, ${databaseTime})
        ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`);
    });
  }
}

/** The running programs, and those that were killed less than half a minute ago. */
export function listPrograms(db: Reader): Promise<Program[]> {
  return db.all<Program>(sql`
    SELECT id, kind, version, host, seen_at AS "seenAt" FROM programs
    WHERE seen_at > ${databaseTime} - ${expiresAfter} ORDER BY id`);
}

/**
 * A program that is certainly running, or null. A program that was killed cannot be distinguished from a running one at
 * first: this waits until it renews its row, removes it, or expires.
 */
export async function findRunning(
  db: Database,
  isWanted: (program: Program) => boolean,
  onWait: (program: Program) => void = () => {},
): Promise<Program | null> {
  if (db.engine === "sqlite") return null;
  const first = (await listPrograms(db)).filter(isWanted);
  if (first[0]) onWait(first[0]);
  for (let programs = first; programs.length > 0;) {
    const renewed = programs.find(({ id, seenAt }) => first.every((then) => then.id !== id || then.seenAt !== seenAt));
    if (renewed) return renewed;
    await Bun.sleep(lookEvery);
    programs = (await listPrograms(db)).filter(isWanted);
  }
  return null;
}

/** For the middle of a sentence. */
export function describeProgram({ kind, host, version }: Program): string {
  return `a ${kind} of version ${version} on ${host}`;
}
