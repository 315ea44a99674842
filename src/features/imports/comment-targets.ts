import { type TargetID, targets } from "../../content/comments/target.ts";
import type { Database } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import type { CommentItem } from "./item.ts";

type On = CommentItem["on"];
type Find = {
  findIDs(kind: On["kind"], keys: string[]): Promise<Map<string, number>>;
  /** Returns the photos by the ids of their files. */
  makePhotos(files: Map<number, string>): Promise<Map<number, number>>;
};
type Found = { target: TargetID; isPage: boolean };

export const targetKey = ({ kind, key }: On): string => `${kind} ${key}`;

/** What comments are on, as far as it was imported and is still there. Photos that nobody has made yet are made. */
export async function findTargets(db: Database, items: CommentItem[], find: Find): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const [kind, some] of Map.groupBy(
    items.map(({ on }) => on),
    ({ kind }) => kind,
  )) {
    const ids = await find.findIDs(kind, [...new Set(some.map(({ key }) => key))]);
    const photos = kind === "file" ? await find.makePhotos(new Map([...ids.values()].map((id) => [id, ""]))) : null;
    const targetKind = kind === "file" ? "photo" : kind;
    const live = await findLive(db, targetKind, photos ? [...photos.values()] : [...ids.values()]);
    for (const [key, recordID] of ids) {
      const id = photos ? photos.get(recordID) : recordID;
      const isPage = live.get(id ?? 0);
      if (id !== undefined && isPage !== undefined)
        found.set(targetKey({ kind, key }), { target: { kind: targetKind, id }, isPage });
    }
  }
  return found;
}

/** Those that are not in the trash, and whether each is a page. */
async function findLive(db: Database, kind: TargetID["kind"], ids: number[]): Promise<Map<number, boolean>> {
  const isPage = kind === "post" ? sql`is_page` : sql`0`;
  const rows = await inChunks(ids, (some) =>
    db.all<{ id: number; is_page: number }>(
      sql`SELECT id, ${isPage} AS is_page FROM ${targets[kind].table} WHERE id IN (${list(some)}) AND trash_id IS NULL`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row.is_page === 1]));
}
