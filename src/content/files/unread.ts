import { joinCurrentImages } from "../../core/images/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

type Candidate = { id: number; name: string; sha256: string | null; contentType: string | null; read: number | null };

/** The next files after `id`; `read` is null for those that have not been read, and for those that wait for their picture. */
export const listCandidates = (db: Reader, id: number, limit: number): Promise<Candidate[]> =>
  db.all<Candidate>(sql`
    SELECT files.id, files.name, files.sha256, files.content_type AS "contentType", 
      CASE WHEN images.thumbhash IS NOT NULL OR images.failure IS NOT NULL THEN images.read_at END AS "read"
    FROM files ${joinCurrentImages} WHERE files.id > ${id} ORDER BY files.id LIMIT ${limit}`);
