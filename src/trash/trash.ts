import type { Database, Queries } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";

export type Kind = "photo" | "post" | "comment" | "album" | "file";

/**
 * Opens an entry for one deletion. All rows that go with it get its id as their `trash_id`, and lose it when they come
 * back: what hung on them is never taken apart.
 */
export async function addToTrash(tx: Queries, kind: Kind, record: { id: number; ownerID: number }): Promise<number> {
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO trash (kind, record_id, owner_id, deleted_at)
    VALUES (${kind}, ${record.id}, ${record.ownerID}, ${Date.now()})
    RETURNING id`);
  return (row as { id: number }).id;
}

/** Removes for good rows of one deletion, no more than one transaction may take. Answers whether all are gone. */
export type Purge = (tx: Queries, trashID: number) => Promise<boolean>;

/** Empties what has been in the trash for longer than `days`, a step a transaction. */
export async function emptyOldTrash(db: Database, purges: Record<Kind, Purge>, days: number): Promise<void> {
  const before = Date.now() - days * 86_400_000;
  const step = async (tx: Queries): Promise<boolean> => {
    const entry = await tx.get<{ id: number; kind: Kind }>(
      sql`SELECT id, kind FROM trash WHERE deleted_at < ${before} ORDER BY deleted_at LIMIT 1`,
    );
    if (!entry) return false;
    if (await purges[entry.kind](tx, entry.id)) await tx.run(sql`DELETE FROM trash WHERE id = ${entry.id}`);
    return true;
  };
  while (await db.transaction(step));
}
