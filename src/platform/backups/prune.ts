import { BackupError } from "./place.ts";
import { blobName, type Repository } from "./repository.ts";
import { listIDs, readFiles, readManifest, removeSnapshots } from "./snapshot.ts";

/** The newest backup of each of so many days, weeks and months is kept. */
export type Retention = { days: number; weeks: number; months: number };

type Pruned = { kept: string[]; removed: string[]; files: number };

/** Removes backups that are not to be kept, and then the files that belong to none. The newest backup always stays. */
export async function pruneBackups(repository: Repository, retention: Retention, isDryRun: boolean): Promise<Pruned> {
  const ids = await listIDs(repository);
  const kept = chooseKept(ids, retention);
  const removed = ids.filter((id) => !kept.has(id));
  const used = new Set<string>();
  // First all that stays is read: if one of the lists cannot be read, nothing is removed.
  for (const id of kept) {
    const manifest = await readManifest(repository, id);
    for (const sha256 of await readFiles(repository, manifest)) used.add(blobName(repository, sha256));
  }
  if (!isDryRun) await removeSnapshots(repository, removed);
  let files = 0;
  for await (const { name } of repository.place.list("blobs/")) {
    if (used.has(name)) continue;
    files++;
    if (!isDryRun) await repository.place.remove(name);
  }
  if (!isDryRun) await repository.place.removeEmptyFolders();
  return { kept: ids.filter((id) => kept.has(id)), removed, files };
}

/** `ids` begin with their time in UTC, oldest first. */
function chooseKept(ids: string[], { days, weeks, months }: Retention): Set<string> {
  const newestFirst = ids.toReversed();
  const kept = new Set(newestFirst.slice(0, 1));
  keepNewestOf(days, (time) => time.toISOString().slice(0, 10));
  keepNewestOf(weeks, weekOf);
  keepNewestOf(months, (time) => time.toISOString().slice(0, 7));
  return kept;

  function keepNewestOf(most: number, periodOf: (time: Date) => string): void {
    const periods = new Set<string>();
    for (const id of newestFirst) {
      const period = periodOf(timeOf(id));
      if (periods.has(period)) continue;
      if (periods.size === most) return;
      periods.add(period);
      kept.add(id);
    }
  }
}

/** The Monday of its week. */
function weekOf(time: Date): string {
  const monday = new Date(time);
  monday.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
}

function timeOf(id: string): Date {
  const [, date = "", time = ""] = /^(\d{8})T(\d{6})\d{3}Z-/.exec(id) ?? [];
  const text = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`;
  const parsed = new Date(text);
  if (Number.isNaN(parsed.getTime())) throw new BackupError(`There is something that is no backup: snapshots/${id}.`);
  return parsed;
}
