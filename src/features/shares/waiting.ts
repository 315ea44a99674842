import { z } from "zod";
import { forbidden, invalid, missing } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { StoredShare } from "./share.ts";

/** Pictures that may wait for approval at the same time, their bytes, and how many may ever be sent through one link. */
const maxWaiting = 200;
const maxWaitingBytes = 4 * 2 ** 30;
const maxEver = 5000;

export const waitingSchema = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: "The name of the file.", example: "harbour.jpg" }),
    guestName: z.string().nullable().meta({ description: "Who sent it, as they have written it.", example: "Ada" }),
    size: z.int(),
    contentType: z.string().meta({ example: "image/jpeg" }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "WaitingUpload", description: "A picture that a guest has sent, and that waits for approval." });

export type Waiting = z.output<typeof waitingSchema> & { sha256: string };

export const presentWaiting = ({ sha256: _, ...waiting }: Waiting) => waiting;

type WaitingRow = Omit<Waiting, "createdAt"> & { created_at: number };

const columns = sql`id, name, guest_name AS "guestName", sha256, size, content_type AS "contentType", created_at`;

/** Oldest first. */
export async function listWaiting(db: Reader, shareID: number): Promise<Waiting[]> {
  const rows = await db.all<WaitingRow>(
    sql`SELECT ${columns} FROM share_uploads WHERE share_id = ${shareID} ORDER BY id`,
  );
  return rows.map(toWaiting);
}

export async function getWaiting(db: Reader, shareID: number, id: number, lock: Sql = sql``): Promise<Waiting> {
  const row = await db.get<WaitingRow>(
    sql`SELECT ${columns} FROM share_uploads WHERE id = ${id} AND share_id = ${shareID} ${lock}`,
  );
  if (!row) throw missing(`upload ${id} that waits for approval`);
  return toWaiting(row);
}

type NewWaiting = Pick<Waiting, "name" | "guestName" | "sha256" | "size" | "contentType">;

/** Locks the link, so that two uploads at the same time cannot both be the last one. */
export async function insertWaiting(tx: Queries, share: StoredShare, sent: NewWaiting): Promise<Waiting> {
  await lockForUpload(tx, share.id);
  await checkSpace(tx, share.id, sent.size);
  await tx.run(sql`UPDATE shares SET uploads = uploads + 1 WHERE id = ${share.id}`);
  const row = await tx.get<WaitingRow>(sql`
    INSERT INTO share_uploads (share_id, owner_id, name, guest_name, sha256, size, content_type, created_at)
    VALUES (${share.id}, ${share.ownerID}, ${sent.name}, ${sent.guestName}, ${sent.sha256}, ${sent.size},
      ${sent.contentType}, ${Date.now()})
    RETURNING ${columns}`);
  return toWaiting(row as WaitingRow);
}

/** The link may have been changed or revoked while the picture was sent. */
async function lockForUpload(tx: Queries, shareID: number): Promise<void> {
  const row = await tx.get<{ allow_upload: number; uploads: number }>(sql`
    SELECT allow_upload, uploads FROM shares
    WHERE id = ${shareID} AND (expires_at IS NULL OR expires_at > ${Date.now()}) ${tx.forUpdate}`);
  if (row?.allow_upload !== 1) throw uploadRefused();
  if (row.uploads >= maxEver) throw forbidden(`This link has received ${maxEver} pictures, which is its limit.`);
}

export const uploadRefused = () => forbidden("This link does not accept uploads.");

/** Throws if too much waits for approval already. */
export async function checkSpace(db: Reader, shareID: number, moreBytes: number): Promise<void> {
  const row = await db.get<{ count: number; bytes: number }>(sql`
    SELECT count(*) AS count, CAST(coalesce(sum(size), 0) AS BIGINT) AS bytes FROM share_uploads
    WHERE share_id = ${shareID}`);
  if (row && row.count < maxWaiting && row.bytes + moreBytes <= maxWaitingBytes) return;
  throw invalid("Too many pictures wait for approval: the owner of the link must look at them first.");
}

export async function removeWaiting(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM share_uploads WHERE id = ${id}`);
}

function toWaiting({ created_at, ...row }: WaitingRow): Waiting {
  return { ...row, createdAt: new Date(created_at).toISOString() };
}
