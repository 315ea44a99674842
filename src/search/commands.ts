import { type Command, dataOption } from "../command.ts";
import { withSite } from "../engines.ts";
import type { Database } from "../platform/database/database.ts";
import { markAllUnread } from "../platform/search/documents.ts";

export const searchCommands: Command[] = [
  {
    name: "rebuild search",
    summary: "index all records for search again",
    details:
      "The server may be running, and does the work in the background. Until then, records are found by their earlier words.",
    options: dataOption,
    run: ({ config }) => withSite(config, rebuildSearch),
  },
];

async function rebuildSearch(db: Database): Promise<void> {
  const count = await markAllUnread(db);
  console.log(`The server will index ${count} ${count === 1 ? "record" : "records"} again, starting within seconds.`);
}
