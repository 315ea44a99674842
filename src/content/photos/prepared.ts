import { recordActivities } from "../../core/activity/record.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

/** More photos than this of the same picture are found by their owners when they look at them. */
const maxRecorded = 100;

/** Records that the picture of these photos is there now, so that those who look at them see it. Videos are shown without. */
export async function recordPrepared(tx: Queries, sha256: string): Promise<void> {
  const photos = await tx.all<{ id: number; owner_id: number; title: string }>(sql`
    SELECT photos.id, photos.owner_id, photos.title
    FROM files JOIN photos ON photos.file_id = files.id JOIN images ON images.sha256 = files.sha256
    WHERE files.sha256 = ${sha256} AND images.duration IS NULL AND photos.trash_id IS NULL
    ORDER BY photos.id LIMIT ${maxRecorded}`);
  const changed = photos.map(({ id, owner_id: ownerID, title }) => ({ kind: "photo", id, ownerID, name: title }));
  recordActivities(tx, null, "changed", changed);
}
