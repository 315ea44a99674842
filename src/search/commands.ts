import { type Command, dataOption } from "../command.ts";
import type { Config } from "../config.ts";
import { openDatabase, refuseMissingSite } from "../engines.ts";
import { markAllUnread } from "../platform/search/documents.ts";

export const searchCommands: Command[] = [
  {
    name: "rebuild search",
    summary: "index all records for search again",
    details:
      "The server may be running, and does the work in the background. Until then, records are found by their earlier words.",
    options: dataOption,
    run: ({ config }) => rebuildSearch(config),
  },
];

async function rebuildSearch(config: Config): Promise<number> {
  await refuseMissingSite(config);
  const db = await openDatabase(config);
  try {
    const count = await markAllUnread(db);
    console.log(`The server will index ${count} ${count === 1 ? "record" : "records"} again, starting within seconds.`);
    return 0;
  } finally {
    await db.close();
  }
}
