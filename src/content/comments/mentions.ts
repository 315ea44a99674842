import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { isPublic } from "../../core/records/visibility.ts";
import { recordChange } from "../../core/activity/record-change.ts";
import { isLive, type Trash } from "../../core/trash/trash.ts";
import type { MentionKind } from "./comment.ts";
import { isInStatusIndex } from "./status-index.ts";
import { isOn, type TargetID, targets } from "./target.ts";

/** What a page of another site says about something here, as plain text. */
export type Mention = { kind: MentionKind; author: string | null; content: string };

type Found = {
  id: number;
  ownerID: number;
  trash_id: number | null;
  status: string;
  content: string;
  source_kind: string;
  source_author: string | null;
};

/** More of them wait for nobody: an owner who looks after weeks does not find thousands. */
const maxWaiting = 500;
const maxWaitingOfHost = 20;

/**
 * Stores what a page says. It waits for approval, also after it was approved if it says something else now. What a person has
 * deleted stays deleted.
 */
export async function putMention(tx: Queries, target: TargetID, source: URL, mention: Mention): Promise<void> {
  await tx.lock("mentions");
  const found = await find(tx, target, source);
  if (found) return found.trash_id === null ? change(tx, found, mention) : undefined;
  const { table, isOpen } = targets[target.kind];
  const { kind, author, content } = mention;
  if (await isFull(tx, source)) return;
  const time = Date.now();
  const row = await tx.get<{ id: number; owner_id: number }>(sql`
    INSERT INTO comments (
      target_kind, target_id, owner_id, content, status, created_at, updated_at, source_url, source_kind, source_author)
    SELECT CAST(${target.kind} AS TEXT), id, owner_id, CAST(${content} AS TEXT), 'waiting', CAST(${time} AS BIGINT), CAST(${time} AS BIGINT),
      CAST(${source.href} AS TEXT), CAST(${kind} AS TEXT), CAST(${author} AS TEXT)
    FROM ${table} WHERE id = ${target.id} AND ${isOpen} AND ${isLive} AND ${isPublic} ${tx.forShare}
    RETURNING *`);
  if (!row) return;
  const written = { id: row.id, ownerID: row.owner_id, name: content };
  const texts = { title: "", text: content };
  await recordChange(tx, written, { ...by, action: "created", before: null, after: row, texts });
}

const by = { kind: "comment", actorID: null } as const;

async function change(tx: Queries, found: Found, { kind, author, content }: Mention): Promise<void> {
  const isSame = found.content === content && found.source_kind === kind && found.source_author === author;
  if (isSame) return;
  await tx.run(sql`
    UPDATE comments SET content = ${content}, source_kind = ${kind}, source_author = ${author}, updated_at = ${Date.now()},
      status = CASE WHEN status = 'visible' THEN 'waiting' ELSE status END
    WHERE id = ${found.id}`);
  const texts = { title: "", text: content };
  const written = { id: found.id, ownerID: found.ownerID, name: content };
  await recordChange(tx, written, { ...by, action: "changed", before: {}, after: {}, texts });
}

/** The page is gone, or does not link here any more. */
export async function removeMention(tx: Queries, trash: Trash, target: TargetID, source: URL): Promise<void> {
  await tx.lock("mentions");
  const found = await find(tx, target, source);
  if (found?.trash_id !== null || !found) return;
  const { id, ownerID, content } = found;
  await trash.put(tx, "comment", { id, ownerID }, { name: content, deletedByID: ownerID });
}

function find(tx: Queries, target: TargetID, { href }: URL): Promise<Found | null> {
  return tx.get<Found>(sql`
    SELECT id, owner_id AS "ownerID", trash_id, status, content, source_kind, source_author FROM comments
    WHERE source_url = ${href} AND ${isOn(target)} ORDER BY id LIMIT 1 ${tx.forUpdate}`);
}

async function isFull(tx: Queries, { origin }: URL): Promise<boolean> {
  const waiting = await tx.all<{ source_url: string }>(sql`
    SELECT source_url FROM comments
    WHERE status = 'waiting' AND ${isInStatusIndex} AND source_url IS NOT NULL AND ${isLive} LIMIT ${maxWaiting}`);
  const ofHost = waiting.filter(({ source_url }) => source_url.startsWith(`${origin}/`)).length;
  return waiting.length >= maxWaiting || ofHost >= maxWaitingOfHost;
}
