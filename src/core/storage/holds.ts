import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { findUsedBlobs } from "./used-blobs.ts";

const renewEvery = 60_000;
/** So long after a program that was killed are blobs kept. */
const heldMs = 10 * 60_000;

/** Until the hold ends, no blob is removed, by any server: what was stored before is there. */
export async function holdBlobs(db: Database): Promise<AsyncDisposable> {
  const id = crypto.randomUUID();
  const renew = () =>
    db.transaction(async (tx) => {
      await tx.run(sql`
        INSERT INTO blob_holds (id, expires_at) VALUES (${id}, ${Date.now() + heldMs})
        ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`);
    });
  await renew();
  const renewing = setInterval(() => void renew().catch(() => {}), renewEvery);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await db.transaction(async (tx) => {
        await tx.run(sql`DELETE FROM blob_holds WHERE id = ${id} OR expires_at <= ${Date.now()}`);
      });
    },
  };
}

/**
 * Which of these blobs must stay. Whether they are held is read last: a hold that begins later is that of a backup which does
 * not have the rows that were missing here.
 */
export async function findKeptBlobs(db: Reader, sha256: string[]): Promise<Set<string>> {
  const used = await findUsedBlobs(db, sha256);
  return (await areBlobsHeld(db)) ? new Set(sha256) : used;
}

export async function areBlobsHeld(db: Reader): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM blob_holds WHERE expires_at > ${Date.now()} LIMIT 1`)) !== null;
}
