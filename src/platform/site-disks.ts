import { isApart, type SiteDirectories } from "./database-directory.ts";
import { type Disk, type DiskState, openDisk } from "./disk.ts";
import type { Log } from "./log.ts";

/** The disks of the files and of the database of a site, which may be one. `state` is that of both. */
type SiteDisks = { files: Disk; database: Disk; state: DiskState; close(): Promise<void> };

export function openDisks(site: SiteDirectories, hasReserve: boolean, log?: Log): SiteDisks {
  const files = openDisk(site.dataDir, hasReserve, { ...(log && { log }) });
  if (!isApart(site)) return { files, database: files, state: files, close: files.close };
  const database = openDisk(site.databaseDir, hasReserve, { ...(log && { log }), variable: "DATABASE_DIR" });
  return { files, database, state: stateOf(files, database), close };

  async function close(): Promise<void> {
    await files.close();
    await database.close();
  }
}

const stateOf = (one: Disk, other: Disk): DiskState => ({
  trouble: () => one.trouble() ?? other.trouble(),
  reason: () => one.reason() ?? other.reason(),
  space() {
    const [least, most] = [one.space(), other.space()].toSorted((a, b) => a.bytes - b.bytes);
    return { bytes: least?.bytes ?? 0, isLow: Boolean(least?.isLow || most?.isLow) };
  },
  refuseWhenTroubled() {
    one.refuseWhenTroubled();
    other.refuseWhenTroubled();
  },
});
