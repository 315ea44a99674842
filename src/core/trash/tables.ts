import { id, number, owner, recordOf, table, text, time } from "../../platform/database/table.ts";
import { sql } from "../../platform/database/sql.ts";
import { standInForEntry } from "./stand-in.ts";

export const trashTable = table(
  "trash",
  {
    id: id(),
    kind: text("`photo`, `album`, `post`, `comment`, `file` or `directory`"),
    record_id: recordOf("kind", "the number of the record", {
      // The others are being deleted permanently, step by step.
      where: "child.deleted_at > 0",
      repair: "delete these entries from the trash",
    }),
    owner_id: owner(),
    deleted_by: number("who deleted it"),
    deleted_at: time("when it was deleted"),
    name: text("its name"),
  },
  {
    exported: {
      file: "trash",
      about: "What was deleted and can be restored. The records themselves are in the other files.",
      where: sql`deleted_at > 0`,
    },
    standIn: standInForEntry,
  },
);
