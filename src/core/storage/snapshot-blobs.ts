import type { Blobs, FindUsed } from "../../platform/blobs/blobs.ts";
import { peekSqlite } from "../../platform/database/sqlite.ts";
import { listSnapshots } from "../../platform/database/upgrade-snapshots.ts";
import { findUsedBlobs } from "./used-blobs.ts";

/** Blobs that a snapshot of the database refers to are not removed as long as it exists: `vitrine rollback` needs them. */
export function keepForSnapshots(blobs: Blobs, databaseDir: string): Blobs {
  const extend =
    (findUsed: FindUsed): FindUsed =>
    async (names) => {
      const used = await findUsed(names);
      // If a snapshot cannot be read, this throws, and nothing is removed.
      for (const { path } of listSnapshots(databaseDir)) {
        const others = names.filter((name) => !used.has(name));
        if (others.length === 0) return used;
        for (const name of await peekSqlite(path, (db) => findUsedBlobs(db, others))) used.add(name);
      }
      return used;
    };
  return {
    ...blobs,
    removeUnused: (names, findUsed) => blobs.removeUnused(names, extend(findUsed)),
    sweep: (findUsed, isOutdated) => blobs.sweep(extend(findUsed), isOutdated),
  };
}
