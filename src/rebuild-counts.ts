import { type Command, dataOption } from "./command.ts";
import type { Config } from "./config.ts";
import { openDatabase, refuseMissingSite } from "./engines.ts";
import type { Schema } from "./platform/database/tables.ts";

export const rebuildCountsCommand: Command = {
  name: "rebuild counts",
  summary: "compare the stored counts with the records, and correct them",
  details:
    "The server may be running. On SQLite, visitors without an account may see the earlier totals until something is changed.",
  options: dataOption,
  run: ({ config, schema }) => rebuildCounts(config, schema),
};

async function rebuildCounts(config: Config, { maintained }: Schema): Promise<number> {
  await refuseMissingSite(config);
  const db = await openDatabase(config);
  try {
    let total = 0;
    for (const { name, rebuild } of maintained) {
      const corrected = await rebuild(db);
      if (corrected > 0) console.log(`Corrected ${corrected} ${corrected === 1 ? "count" : "counts"} of ${name}.`);
      total += corrected;
    }
    if (total === 0) console.log("All counts are correct.");
    return 0;
  } finally {
    await db.close();
  }
}
