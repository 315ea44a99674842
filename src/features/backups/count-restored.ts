import { checkQuota } from "../../core/storage/quota.ts";
import { storedColumnsOf } from "../../platform/database/tables.ts";
import { type Backup, readParts, type RestoredSite, type Work } from "./restoring.ts";

/** Writes nothing: counts the bytes that would be added, for each owner. */
export function createCounting(backup: Backup, { db, tables, quotaBytes }: RestoredSite) {
  const columns = storedColumnsOf(tables);
  const bytesOf = new Map<number, number>();
  const work: Work = {
    async add(record) {
      const { kind, row, was } = record;
      const ownerID = Number(row["owner_id"]);
      for (const { table, row: stored } of [{ table: kind.table, row }, ...(await readParts(backup, tables, record))]) {
        const bytes = columns.flatMap((one) => (one.table === table ? Number(stored[one.size] ?? 0) : []));
        bytesOf.set(ownerID, (bytesOf.get(ownerID) ?? 0) + bytes.reduce((sum, size) => sum + size, 0));
      }
      return { id: Number(was["id"]), isNew: true };
    },
    mend: async () => {},
  };
  return { work, checkQuotas };

  /** Throws if somebody would have more than their quota. */
  async function checkQuotas(): Promise<void> {
    for (const [ownerID, moreBytes] of bytesOf) {
      if (moreBytes > 0) await db.transaction((tx) => checkQuota(tx, { ownerID, quotaBytes }, { moreBytes }));
    }
  }
}
