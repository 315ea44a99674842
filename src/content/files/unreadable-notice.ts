import { z } from "zod";
import { isTheirs, maxCounted, type Notice } from "../../core/records/notice.ts";
import { sql, unindexed } from "../../platform/database/sql.ts";

const maxListed = 20;

export const unreadablePictures: Notice = {
  schema: z
    .object({
      count: z.int().meta({ example: 1 }),
      fileIDs: z.array(z.int()).meta({ description: `The newest of them, at most ${maxListed}.`, example: [3] }),
    })
    .meta({ description: "Files of pictures and videos from which no picture could be read." }),
  async read({ db }, caller) {
    // SQLite reads the tables of a CROSS JOIN in this order.
    const failed = sql`
      SELECT files.id FROM (
        SELECT sha256 FROM images WHERE failure IS NOT NULL LIMIT ${maxCounted}) AS failed
      CROSS JOIN files
      WHERE files.sha256 = failed.sha256 AND files.trash_id IS NULL AND ${isTheirs(caller, unindexed("files.owner_id"))}
      LIMIT ${maxCounted}`;
    const [counted, newest] = await Promise.all([
      db.get<{ count: number }>(sql`SELECT count(*) AS count FROM (${failed}) AS failed`),
      db.all<{ id: number }>(sql`SELECT id FROM (${failed}) AS failed ORDER BY id DESC LIMIT ${maxListed}`),
    ]);
    return { count: counted?.count ?? 0, fileIDs: newest.map(({ id }) => id) };
  },
};
