import { z } from "zod";
import { isTheirs, mostCounted, type Notice } from "../notice.ts";
import { sql, unindexed } from "../platform/database/sql.ts";

const mostListed = 20;

export const unreadablePictures: Notice = {
  schema: z
    .object({
      count: z.int().meta({ example: 1 }),
      fileIDs: z.array(z.int()).meta({ description: `The newest of them, at most ${mostListed}.`, example: [3] }),
    })
    .meta({ description: "Files of pictures and videos from which no picture could be read." }),
  async read({ db }, caller) {
    // SQLite reads the tables of a CROSS JOIN in this order.
    const failed = sql`
      SELECT files.id FROM (
        SELECT sha256 FROM images WHERE failure IS NOT NULL LIMIT ${mostCounted}) AS failed
      CROSS JOIN files
      WHERE files.sha256 = failed.sha256 AND files.trash_id IS NULL AND ${isTheirs(caller, unindexed("files.owner_id"))}
      LIMIT ${mostCounted}`;
    const [counted, newest] = await Promise.all([
      db.get<{ count: number }>(sql`SELECT count(*) AS count FROM (${failed}) AS failed`),
      db.all<{ id: number }>(sql`SELECT id FROM (${failed}) AS failed ORDER BY id DESC LIMIT ${mostListed}`),
    ]);
    return { count: counted?.count ?? 0, fileIDs: newest.map(({ id }) => id) };
  },
};
