import { bytes, fromOthers, json, ref, table } from "./table.ts";
import type { Table } from "./tables.ts";

/** The tables of the platform that have rows of a site; the others are for one set of engines. */
export const platformTables: Table[] = [
  table(
    "documents",
    {
      owner_id: ref("user", "", {
        lost: {
          table: "users",
          // The others will be made again.
          where: "child.unread IS NULL",
          repair: 'run "vitrine rebuild search" and start the server',
        },
      }),
    },
    // Each row is written into the index for search, too: fewer of them in the time that a statement has.
    { rowsAtOnce: 50, without: fromOthers },
  ),
  table(
    "idempotency_keys",
    { bytes: bytes({ counts: "stored" }) },
    { key: ["caller", "name"], rowsAtOnce: 50, without: "passes by itself" },
  ),
  table("tasks", { payload: json() }, { without: "passes by itself" }),
  table("list_counts", {}, { key: ["list", "size", "block", "lane"], without: fromOthers }),
];
