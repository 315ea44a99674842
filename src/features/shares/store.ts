import { recordActivity } from "../../core/activity/record.ts";
import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { byID, type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { readSlices, type Slices } from "../../platform/database/slices.ts";
import { joined, list, raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { isLive } from "../../core/trash/trash.ts";
import type { Shareable, StoredShare } from "./share.ts";

const day = 86_400_000;
/** How long a link that has expired stays in the list of its owner. */
const keptDays = 30;
const sharesAtOnce = 200;

type ShareRow = {
  id: number;
  owner_id: number;
  kind: string;
  record_id: number;
  password_hash: string | null;
  allow_download: number;
  allow_upload: number;
  show_metadata: number;
  expires_at: number | null;
  uses: number;
  last_used_at: number | null;
  uploads: number;
  waiting_uploads: number;
  created_at: number;
  updated_at: number;
};

const columns = sql`id, owner_id, kind, record_id, password_hash, allow_download, allow_upload, show_metadata, expires_at,
  uses, last_used_at, uploads, created_at, updated_at,
  (SELECT count(*) FROM share_uploads WHERE share_id = shares.id) AS waiting_uploads`;

/** The link with this token, unless it has expired. */
export async function findByToken(db: Reader, tokenHash: string): Promise<StoredShare | null> {
  const row = await db.get<ShareRow>(sql`
    SELECT ${columns} FROM shares
    WHERE token_hash = ${tokenHash} AND (expires_at IS NULL OR expires_at > ${Date.now()})`);
  return row && toShare(row);
}

/** Whether the record of the link is not in the trash, and still belongs to the owner of the link. */
export async function hasRecord(db: Reader, { table }: RecordKind, share: StoredShare): Promise<boolean> {
  const { recordID, ownerID } = share;
  const record = sql`SELECT id FROM ${raw(table)} WHERE id = ${recordID} AND owner_id = ${ownerID} AND ${isLive}`;
  return (await db.get(record)) !== null;
}

/** The owner of a record to share, which must be one that the viewer may see. */
export async function findRecordOwner(
  db: Reader,
  viewer: Viewer,
  { kind, shared: { where = sql`1 = 1` } }: Shareable,
  id: number,
): Promise<number | null> {
  if (!(await kind.find(db, viewer, [id])).has(id)) return null;
  const row = await db.get<{ owner_id: number }>(sql`
    SELECT owner_id FROM ${raw(kind.table)} WHERE id = ${id} AND ${isLive} AND ${where}`);
  return row?.owner_id ?? null;
}

/** Links exist for their owner and admins only. */
export const isOwn = (viewer: Viewer): Sql =>
  viewer?.role === "admin" ? sql`1 = 1` : sql`owner_id = ${viewer?.id ?? 0}`;

export async function getShare(db: Reader, viewer: Viewer, id: number, lock: Sql = sql``): Promise<StoredShare> {
  const row = await db.get<ShareRow>(sql`SELECT ${columns} FROM shares WHERE id = ${id} AND ${isOwn(viewer)} ${lock}`);
  if (!row) throw missing(`share ${id}`);
  return toShare(row);
}

/** Which links a list has. */
type Wanted = { ownerID: number | null; kind?: string | undefined; recordID?: number | undefined };

const isWanted = ({ ownerID, kind, recordID }: Wanted): [Sql, ...Sql[]] => [
  ownerID === null ? sql`1 = 1` : sql`owner_id = ${ownerID}`,
  ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
  ...(recordID === undefined ? [] : [sql`record_id = ${recordID}`]),
];

/** Newest first. */
export function listShares(db: Reader, wanted: Wanted): Slices<StoredShare> {
  const read = async (last: StoredShare | null, size: number) => {
    const after = last && { id: last.id, key: null };
    const page = await listSharesByKey(db, wanted, { sort: byID, order: "desc", after, size });
    return (await Array.fromAsync(page.items)).flat();
  };
  return readSlices(read, { size: sharesAtOnce });
}

export function listSharesByKey(db: Reader, wanted: Wanted, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "shares",
    where: isWanted(wanted),
    atOnce: sharesAtOnce,
    async find(ids) {
      const rows = await db.all<ShareRow>(sql`SELECT ${columns} FROM shares WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toShare(row)]));
    },
  });
}

type NewShare = Pick<
  StoredShare,
  "kind" | "recordID" | "ownerID" | "passwordHash" | "expiresAt" | "allowDownload" | "allowUpload" | "showMetadata"
> & { tokenHash: string };

export async function insertShare(tx: Queries, actorID: number, share: NewShare): Promise<StoredShare> {
  const time = Date.now();
  const row = await tx.get<ShareRow>(sql`
    INSERT INTO shares (owner_id, kind, record_id, token_hash, password_hash, allow_download, allow_upload, show_metadata,
      expires_at, created_at, updated_at)
    VALUES (${share.ownerID}, ${share.kind}, ${share.recordID}, ${share.tokenHash}, ${share.passwordHash},
      ${Number(share.allowDownload)}, ${Number(share.allowUpload)}, ${Number(share.showMetadata)}, ${share.expiresAt},
      ${time}, ${time})
    RETURNING ${columns}`);
  const inserted = toShare(row as ShareRow);
  recordActivity(tx, actorID, "created", activityOf(inserted));
  return inserted;
}

const activityOf = ({ id, ownerID, kind, recordID }: StoredShare) => ({
  kind: "share",
  id,
  ownerID,
  name: `${kind} ${recordID}`,
});

export async function updateShare(tx: Queries, actorID: number, share: StoredShare): Promise<StoredShare> {
  const row = await tx.get<ShareRow>(sql`
    UPDATE shares SET password_hash = ${share.passwordHash}, allow_download = ${Number(share.allowDownload)},
      allow_upload = ${Number(share.allowUpload)}, show_metadata = ${Number(share.showMetadata)},
      expires_at = ${share.expiresAt}, updated_at = ${Date.now()}
    WHERE id = ${share.id} RETURNING ${columns}`);
  recordActivity(tx, actorID, "changed", activityOf(share));
  return toShare(row as ShareRow);
}

/** The uploads are deleted first, so that their bytes are released. `actorID` is null for the job that removes old links. */
export async function deleteShare(tx: Queries, actorID: number | null, share: StoredShare): Promise<void> {
  await tx.run(sql`DELETE FROM share_uploads WHERE share_id = ${share.id}`);
  await tx.run(sql`DELETE FROM shares WHERE id = ${share.id}`);
  recordActivity(tx, actorID, "deleted", activityOf(share));
}

export type Visits = { uses: number; lastUsedAt: number };

/** Adds the visits of several links in one statement. */
export async function addVisits(db: Database, visits: Map<number, Visits>): Promise<void> {
  const rows = [...visits].map(
    ([id, { uses, lastUsedAt }]) =>
      sql`(CAST(${id} AS BIGINT), CAST(${uses} AS BIGINT), CAST(${lastUsedAt} AS BIGINT))`,
  );
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE shares SET uses = shares.uses + visits.column2, last_used_at = visits.column3
      FROM (VALUES ${joined(rows)}) AS visits WHERE shares.id = visits.column1`),
  );
}

/** Removes links that expired long ago, and those to records that were deleted permanently. */
export async function removeOldShares(db: Database, kinds: RecordKind[]): Promise<void> {
  const isGone = kinds.flatMap(({ table, shared = {} }) =>
    Object.keys(shared).map(
      (kind) => sql`kind = ${kind} AND NOT EXISTS (SELECT 1 FROM ${raw(table)} WHERE ${raw(table)}.id = record_id)`,
    ),
  );
  const isOld = sql`expires_at <= ${Date.now() - keptDays * day}`;
  for (const where of [isOld, ...isGone]) {
    const rows = await db.all<ShareRow>(sql`SELECT ${columns} FROM shares WHERE ${where}`);
    for (const row of rows) await db.transaction((tx) => deleteShare(tx, null, toShare(row)));
  }
}

function toShare(row: ShareRow): StoredShare {
  return {
    id: row.id,
    kind: row.kind,
    recordID: row.record_id,
    ownerID: row.owner_id,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    allowDownload: row.allow_download === 1,
    allowUpload: row.allow_upload === 1,
    showMetadata: row.show_metadata === 1,
    uses: row.uses,
    lastUsedAt: row.last_used_at,
    uploads: row.uploads,
    waitingUploads: row.waiting_uploads,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
