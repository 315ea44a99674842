import { type Command, dataOption } from "./command.ts";
import { withSite } from "./engines.ts";
import type { Database } from "./platform/database/database.ts";
import type { Schema } from "./platform/database/tables.ts";

export const rebuildCountsCommand: Command = {
  name: "rebuild counts",
  summary: "compare the stored counts with the records, and correct them",
  details:
    "The server may be running. On SQLite, visitors without an account may see the earlier totals until something is changed.",
  options: dataOption,
  run: ({ config, schema }) => withSite(config, (db) => rebuildCounts(db, schema)),
};

async function rebuildCounts(db: Database, { maintained }: Schema): Promise<void> {
  let total = 0;
  for (const { name, rebuild } of maintained) {
    const corrected = await rebuild(db);
    if (corrected > 0) console.log(`Corrected ${corrected} ${corrected === 1 ? "count" : "counts"} of ${name}.`);
    total += corrected;
  }
  if (total === 0) console.log("All counts are correct.");
}
