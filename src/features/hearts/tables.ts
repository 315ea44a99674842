import { created, fromOthers, number, table, text } from "../../platform/database/table.ts";
import { sql } from "../../platform/database/sql.ts";

export const heartTables = [
  table(
    "hearts",
    {
      target_id: number("kind and record as one number: 4 × id, and 1 for a post, 2 for a photo, 3 for an album"),
      giver: text("`user:` and a number in `people`, or `guest:` and the hash of a random number"),
      created_at: created(),
    },
    {
      key: ["target_id", "giver"],
      exported: {
        file: "hearts",
        about: "Hearts of people and guests.",
        isOf: (personID) => sql`giver = ${`user:${personID}`}`,
        further: { kind: "`post`, `photo` or `album`", recordID: "the number of the record" },
      },
    },
  ),
  table("heart_counts", {}, { without: fromOthers }),
];
