import type { Shared } from "../../core/records/record-kind.ts";
import { reachOf } from "../../core/records/visibility.ts";
import { sql } from "../../platform/database/sql.ts";

/** A link to a photo reaches the photo, and with downloads also its file, unless that shows more than the photo. */
export const sharedPhoto: Shared = {
  reach: (id, { allowDownload }) => ({
    photo: reachOf(sql`${id}`),
    ...(allowDownload && { file: reachOf(sql`SELECT file_id FROM photos WHERE id = ${id} AND is_cropped = 0`) }),
  }),
};
