import { count } from "../../platform/database/counts.ts";
import { created, local, table, text } from "../../platform/database/table.ts";
import { sql } from "../../platform/database/sql.ts";

const target = "`kind` and `recordID` say it";

export const heartCounts = count("heart_counts", ["id", "target_kind"], {
  what: "hearts",
  number: "hearts",
  of: "hearts",
  by: [{ id: (row) => `${row}.target_id`, target_kind: (row) => `${row}.target_kind` }],
});

export const heartTables = [
  table(
    "hearts",
    {
      target_kind: local(target),
      target_id: local(target),
      giver: text("`user:` and a number in `people`, or `guest:` and the hash of a random number"),
      created_at: created(),
    },
    {
      key: ["target_kind", "target_id", "giver"],
      exported: {
        file: "hearts",
        about: "Hearts of people and guests.",
        isOf: (personID) => sql`giver = ${`user:${personID}`}`,
        further: {
          targetID: "kind and record as one number: 4 × id, and 1 for a post, 2 for a photo, 3 for an album",
          kind: "`post`, `photo` or `album`",
          recordID: "the number of the record",
        },
      },
    },
  ),
  heartCounts,
];
