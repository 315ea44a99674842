import type { Reader } from "../../platform/database/database.ts";
import { readSlices } from "../../platform/database/slices.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { type Holding, readByID, type Source } from "../../core/holdings/holding.ts";

const day = 86_400_000;
const directoriesAtOnce = 500;

type Row = {
  ownerID: number;
  parentID: number;
  isTrashed: number;
  day: number;
  contentType: string | null;
  count: number;
  bytes: number;
};

/** Files and directories. What is below a directory in the trash is in the trash, too. */
export async function* readFileHoldings(db: Source): AsyncGenerator<Holding[]> {
  const trashed = await listTrashedDirectories(db);
  const slices = readByID(db, "files", (some) =>
    db.all<Row>(sql`
      SELECT owner_id AS "ownerID", parent_id AS "parentID", CASE WHEN trash_id IS NULL THEN 0 ELSE 1 END AS "isTrashed",
        created_at / ${day} AS day, CASE WHEN sha256 IS NOT NULL THEN coalesce(content_type, '') END AS "contentType",
        count(*) AS count, CAST(sum(size) AS BIGINT) AS bytes
      FROM files WHERE ${some} GROUP BY 1, 2, 3, 4, 5`),
  );
  for await (const rows of slices) {
    yield rows.flatMap((row) => toHolding(row, row.isTrashed === 1 || trashed.has(row.parentID)));
  }
}

/** Directories have no content type. */
function toHolding({ ownerID, contentType, count, bytes, ...row }: Row, isTrashed: boolean): Holding[] {
  if (isTrashed) return contentType === null ? [] : [{ ownerID, part: "trash", count, bytes }];
  if (contentType === null) return [{ ownerID, part: "directories", count, bytes }];
  const month = new Date(row.day * day).toISOString().slice(0, 7);
  return [{ ownerID, part: partOf(contentType), month, count, bytes }];
}

function partOf(contentType: string): "images" | "videos" | "otherFiles" {
  if (contentType.startsWith("image/")) return "images";
  return contentType.startsWith("video/") ? "videos" : "otherFiles";
}

/** The directories in the trash, and all below them. */
async function listTrashedDirectories(db: Reader): Promise<Set<number>> {
  const found = new Set<number>();
  const roots = readSlices(
    (last: { id: number } | null, size) =>
      db.all<{ id: number }>(sql`
        SELECT id FROM files WHERE sha256 IS NULL AND trash_id IS NOT NULL AND id > ${last?.id ?? 0}
        ORDER BY id LIMIT ${size}`),
    { size: directoriesAtOnce },
  );
  for await (const some of roots) for (const { id } of some) found.add(id);
  const waiting = [...found];
  while (waiting.length > 0) {
    await nextTurn();
    const parents = list(waiting.splice(-directoriesAtOnce));
    const below = await db.all<{ id: number }>(sql`
      SELECT id FROM files WHERE parent_id IN (${parents}) AND sha256 IS NULL AND trash_id IS NULL`);
    for (const { id } of below) {
      if (!found.has(id)) waiting.push(id);
      found.add(id);
    }
  }
  return found;
}
