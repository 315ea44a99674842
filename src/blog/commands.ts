import { type Command, dataOption } from "../command.ts";
import { withSite } from "../engines.ts";
import type { Database } from "../platform/database/database.ts";
import { markAllHTML } from "./html.ts";

export const blogCommands: Command[] = [
  {
    name: "rebuild posts",
    summary: "render all posts as HTML again",
    details: "The server may be running, and does the work within a minute.",
    options: dataOption,
    run: ({ config }) => withSite(config, rebuildPosts),
  },
];

async function rebuildPosts(db: Database): Promise<void> {
  const count = await markAllHTML(db);
  console.log(`The server will render ${count} ${count === 1 ? "post" : "posts"} again, within a minute.`);
}
