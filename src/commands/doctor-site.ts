import { relative } from "node:path";
import { type Config, findMistyped } from "../config.ts";
import { findNewestTime } from "../core/activity/store.ts";
import { findHold } from "../core/clock/clock.ts";
import { findLastBackup } from "../features/backups/last-backup.ts";
import { readLastRun } from "../features/backups/runner.ts";
import type { Reader } from "../platform/database/database.ts";
import { listApplied, newestFormat } from "../platform/database/migrate.ts";
import { sql } from "../platform/database/sql.ts";
import { version } from "../platform/version.ts";
import { type Finding, warning } from "./doctor-finding.ts";

const hour = 3_600_000;
const day = 24 * hour;
const oldBackupDays = 8;

/** What the variables say that cannot be meant. What only a proxy knows is not seen here. */
export function checkConfiguration({ baseURL, dataDir, databaseDir, backupTo }: Config): Finding[] {
  const findings = findMistyped().map((sentence) =>
    warning("configuration", sentence, "correct the name, or remove it"),
  );
  const base = baseURL ? new URL(baseURL) : null;
  if (base?.protocol === "http:" && !isLocal(base.hostname)) {
    const repair = "serve the site by HTTPS (docs/operate/deploy.md), and set BASE_URL to that address";
    findings.push(warning("BASE_URL", `${baseURL} is not https: passwords are sent as they are`, repair));
  }
  if (backupTo && (isInside(dataDir, backupTo) || isInside(databaseDir, backupTo))) {
    const repair = "choose a place on another disk or machine";
    findings.push(warning("BACKUP_TO", "is in the data directory: both are lost together", repair));
  }
  return findings;
}

const isLocal = (name: string) => /^(localhost|127\..*|\[::1\])$|\.localhost$/.test(name);

function isInside(directory: string, place: string): boolean {
  if (/^\w+:\/\//.test(place)) return false;
  return !relative(directory, place).startsWith("..");
}

export async function checkClockAndBackups(db: Reader, now = Date.now()): Promise<Finding[]> {
  const findings: Finding[] = [];
  const newest = await findNewestTime(db);
  if (newest !== null && newest > now + hour) {
    const repair = "set the clock";
    findings.push(
      warning("clock", `it is behind: the newest change was made at ${new Date(newest).toISOString()}`, repair),
    );
  }
  const hold = await findHold(db);
  if (hold !== null) {
    const repair =
      'look at the clock; if it is right, press "The clock is right" in the studio, or run "vitrine confirm clock"';
    findings.push(warning("clock", `may be wrong: nothing is deleted because of its age. It said ${hold}`, repair));
  }
  return [...findings, ...(await checkBackups(db, now))];
}

async function checkBackups(db: Reader, now: number): Promise<Finding[]> {
  const repair = 'run "vitrine backup create", or "vitrine record backup" after a backup by another program';
  const failed = (await readLastRun(db))?.error;
  const failure = failed ? [warning("backup", `the last one has failed: ${failed}`, repair)] : [];
  const last = await findLastBackup(db);
  const since = last === null ? await findFirstDay(db) : Date.parse(last);
  if (since === null || now - since < oldBackupDays * day) return failure;
  const what = last === null ? "none was ever made" : `the last one was made at ${last}`;
  return [...failure, warning("backup", what, repair)];
}

const findFirstDay = async (db: Reader): Promise<number | null> =>
  (await db.get<{ first: number | null }>(sql`SELECT min(created_at) AS first FROM users`))?.first ?? null;

/** For `--json`: which versions were looked at, and when the last backup was made. */
export async function describeSite(db: Reader, { database: { engine }, blobStore: { kind } }: Config) {
  const migrations = await listApplied(db, engine);
  return {
    version,
    database: engine,
    storage: kind,
    schema: [...migrations].toSorted().findLast((name) => /^\d/.test(name)) ?? "schema.sql",
    format: newestFormat,
    // A time that cannot be read is a finding.
    lastBackupAt: await findLastBackup(db).catch(() => null),
  };
}
