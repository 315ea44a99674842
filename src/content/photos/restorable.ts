import type { Restorable } from "../../core/records/restorable.ts";
import { sql } from "../../platform/database/sql.ts";

/** A photo brings its file. It is not put into albums again. */
export const restorablePhotos: Restorable = {
  name: "title",
  words: { photo: sql`1 = 1` },
  references: { file_id: { kind: "file", isNeeded: true } },
};
