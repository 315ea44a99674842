import type { Restorable } from "../../core/records/restorable.ts";
import { sql } from "../../platform/database/sql.ts";

/** A photo brings its file. Albums put it back where it was. */
export const restorablePhotos: Restorable = {
  name: "title",
  words: { photo: sql`1 = 1` },
  references: { file_id: { kind: "file", isNeeded: true } },
};
