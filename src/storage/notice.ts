import { z } from "zod";
import type { Notice } from "../notice.ts";
import type { Reader } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { readUsage } from "./quota.ts";

export const usedStorage: Notice = {
  schema: z
    .object({
      bytes: z.int().meta({ description: "Files, trash, versions, posters and unfinished uploads.", example: 48213 }),
      quota: z.int().nullable().meta({ description: "The limit in bytes; null for no limit.", example: null }),
    })
    .meta({ description: "The storage that is used; for admins, without unfinished uploads." }),
  async read({ db, config }, { id, role }) {
    if (role === "admin") return { bytes: await readSiteUsage(db), quota: null };
    const usage = await readUsage(db, id);
    return { bytes: (usage?.stored ?? 0) + (usage?.reserved ?? 0), quota: config.quotaBytes };
  },
};

async function readSiteUsage(db: Reader): Promise<number> {
  const row = await db.get<{ bytes: number }>(sql`
    SELECT CAST((SELECT coalesce(sum(size), 0) FROM files) + (SELECT coalesce(sum(size), 0) FROM file_versions)
      + (SELECT coalesce(sum(poster_size), 0) FROM photos WHERE poster_sha256 IS NOT NULL) AS BIGINT) AS bytes`);
  return row?.bytes ?? 0;
}
