import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { checkQuota, type Quota } from "./quota.ts";

/** A reservation is renewed as long as bytes come. One whose server was killed ends after this time. */
const lifetime = 3_600_000;

/** Counts the bytes of an upload towards its owner's quota from before they are written until a row counts them. */
export type Reservation = {
  /** Null where nothing is reserved. */
  ownerID: number | null;
  /** Reserves `most` bytes, or as many as the quota leaves. Throws when it does not leave `least`. */
  grow(least: number, most: number): Promise<void>;
  /** For the transaction that writes the row. */
  end(tx: Queries): Promise<void>;
  /** For an upload that is not stored, when its bytes are gone. */
  release(): Promise<void>;
};

/** For whoever has no quota, and for bytes that count already. */
export const noReservation: Reservation = {
  ownerID: null,
  grow: async () => {},
  end: async () => {},
  release: async () => {},
};

/** Returns how many bytes are removed when the upload is stored, if it has at least `least` and at most `most` bytes. */
export type MeasureFreed = (db: Reader, least: number, most: number) => Promise<number>;

/**
 * What an upload replaces makes space for it, but only when it is stored. So an upload may take the storage over the quota
 * for a while, by no more than its own size; and as all other reservations count in full, no second one can.
 */
export function openReservation(db: Database, quota: Quota, measureFreed: MeasureFreed = async () => 0): Reservation {
  if (quota.quotaBytes === null) return noReservation;
  let current = { id: 0, bytes: 0 };
  let renewAt = 0;
  const remove = (tx: Queries) => tx.run(sql`DELETE FROM reservations WHERE id = ${current.id}`);

  async function renew(): Promise<boolean> {
    const time = Date.now();
    if (time < renewAt) return true;
    renewAt = time + lifetime / 2;
    const isThere = await db.transaction((tx) =>
      tx.run(sql`UPDATE reservations SET expires_at = ${time + lifetime} WHERE id = ${current.id}`),
    );
    return isThere > 0;
  }

  return {
    ownerID: quota.ownerID,
    async grow(least, most) {
      if (least <= current.bytes && (await renew())) return;
      const wanted = most === Infinity ? 2 * least : most;
      current = await db.transaction(async (tx) => {
        if (current.id > 0) await remove(tx);
        const demand = { moreBytes: least, measureFreed: () => measureFreed(tx, least, most) };
        const free = await checkQuota(tx, quota, demand);
        if (free === Infinity) return { id: 0, bytes: Infinity };
        return insert(tx, quota.ownerID, Math.min(wanted, free));
      });
      renewAt = Date.now() + lifetime / 2;
    },
    async end(tx) {
      if (current.id > 0) await remove(tx);
    },
    async release() {
      if (current.id > 0) await db.transaction(remove);
    },
  };
}

async function insert(tx: Queries, ownerID: number, bytes: number): Promise<{ id: number; bytes: number }> {
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO reservations (owner_id, bytes, expires_at) VALUES (${ownerID}, ${bytes}, ${Date.now() + lifetime})
    RETURNING id`);
  return { id: (row as { id: number }).id, bytes };
}
