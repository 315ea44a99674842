import { markAllHTML } from "../content/blog/html.ts";
import { withSite } from "../engines.ts";
import { removeFailures } from "../core/images/store.ts";
import type { Database } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/tables.ts";
import { markAllUnread } from "../platform/search/documents.ts";
import { type Command, dataOption } from "./command.ts";

/** What is derived from records can be derived from them again. */
export const rebuildCommands: Command[] = [
  {
    name: "rebuild posts",
    summary: "render all posts as HTML again",
    details: "The server may be running, and does the work within a minute.",
    options: dataOption,
    run: ({ config }) => withSite(config, rebuildPosts),
  },
  {
    name: "rebuild pictures",
    summary: "retry pictures that could not be decoded",
    details: "The server may be running.",
    options: dataOption,
    run: ({ config }) => withSite(config, rebuildPictures),
  },
  {
    name: "rebuild search",
    summary: "index all records for search again",
    details:
      "The server may be running, and does the work in the background. Until then, records are found by their earlier words.",
    options: dataOption,
    run: ({ config }) => withSite(config, rebuildSearch),
  },
  {
    name: "rebuild counts",
    summary: "compare the stored counts with the records, and correct them",
    details:
      "The server may be running. On SQLite, visitors without an account may see the earlier totals until something is changed.",
    options: dataOption,
    run: ({ config, schema }) => withSite(config, (db) => rebuildCounts(db, schema), schema),
  },
];

async function rebuildPosts(db: Database): Promise<void> {
  const count = await markAllHTML(db);
  console.log(`The server will render ${count} ${count === 1 ? "post" : "posts"} again, within a minute.`);
}

async function rebuildPictures(db: Database): Promise<void> {
  const count = await removeFailures(db);
  console.log(
    count === 0
      ? "Nothing to retry: every picture has been decoded."
      : `${count} ${count === 1 ? "picture" : "pictures"} could not be decoded. The server will retry within an hour, or as soon as one is requested.`,
  );
}

async function rebuildSearch(db: Database): Promise<void> {
  const count = await markAllUnread(db);
  console.log(`The server will index ${count} ${count === 1 ? "record" : "records"} again, starting within seconds.`);
}

async function rebuildCounts(db: Database, { maintained }: Schema): Promise<void> {
  let total = 0;
  for (const { name, rebuild } of maintained) {
    const corrected = await rebuild(db);
    if (corrected > 0) console.log(`Corrected ${corrected} ${corrected === 1 ? "count" : "counts"} of ${name}.`);
    total += corrected;
  }
  if (total === 0) console.log("All counts are correct.");
}
