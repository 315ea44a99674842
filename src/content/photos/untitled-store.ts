import type { Database, Queries } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { lockPhotos } from "./lists/entries.ts";
import { isFileName } from "./untitled.ts";

type Row = { id: number; title: string; name: string | null };

const photosAtOnce = 200;

/** For the photos that an earlier version of the program has created: who wrote their titles is not known. */
export async function decideMissing(db: Database): Promise<void> {
  const someMissing = sql`SELECT id FROM photos WHERE is_untitled IS NULL ORDER BY id LIMIT ${photosAtOnce}`;
  for (;;) {
    const ids = (await db.all<{ id: number }>(someMissing)).map(({ id }) => id);
    if (ids.length === 0) return;
    await db.transaction(async (tx) => {
      await lockPhotos(tx, ids);
      const rows = await readNames(tx, ids);
      for (const flag of [0, 1]) {
        const some = rows.filter(({ title, name }) => isFileName(title, name) === (flag === 1)).map(({ id }) => id);
        if (some.length === 0) continue;
        await tx.run(sql`UPDATE photos SET is_untitled = ${flag} WHERE id IN (${list(some)})`);
        await tx.changed(
          "photo",
          some.map((id) => ({ id, before: { is_untitled: null }, after: { is_untitled: flag } })),
        );
      }
    });
  }
}

/** The name of a file that was permanently deleted is not known. */
const readNames = (tx: Queries, ids: number[]): Promise<Row[]> =>
  tx.all<Row>(sql`
    SELECT photos.id, photos.title, files.name FROM photos LEFT JOIN files ON files.id = photos.file_id
    WHERE photos.id IN (${list(ids)})`);
