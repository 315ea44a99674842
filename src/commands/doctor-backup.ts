import type { Config } from "../config.ts";
import { findLastBackup, findLastPlace } from "../features/backups/last-backup.ts";
import { needsKey } from "../platform/backups/encryption.ts";
import { BackupError, UnreadableError } from "../platform/backups/place.ts";
import type { Reader } from "../platform/database/database.ts";
import { Problem } from "../platform/errors.ts";
import { chooseManifest, withRepository } from "./backup-work.ts";
import { error, type Finding, warning } from "./doctor-finding.ts";

/** Whether the newest backup can be opened with the keys that are set: it is needed when it is too late to notice that. */
export async function checkNewestBackup(config: Config, db: Reader): Promise<Finding[]> {
  const place = config.backupTo ?? (await findLastPlace(db));
  if (place === null || (await findLastBackup(db)) === null) return [];
  try {
    await withRepository(config, place, "read", async (repository) => {
      await chooseManifest(repository, undefined);
      return 0;
    });
    return [];
  } catch (failure) {
    if (!(failure instanceof BackupError || failure instanceof Problem)) throw failure;
    // Only somebody else has the key.
    if (failure.message === needsKey) return [];
    if (failure instanceof UnreadableError || failure instanceof Problem) {
      // It may be a disk that is not always there.
      return config.backupTo === null ? [] : [warning("backup", failure.message, "make BACKUP_TO readable")];
    }
    const repair = "set the passphrase or key with which the backups were made, or store new ones in another place";
    return [error("backup", `the newest one cannot be opened: ${failure.message}`, repair)];
  }
}
