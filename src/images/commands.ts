import { type Command, dataOption } from "../command.ts";
import { withSite } from "../engines.ts";
import type { Database } from "../platform/database/database.ts";
import { removeFailures } from "./store.ts";

export const imageCommands: Command[] = [
  {
    name: "rebuild pictures",
    summary: "retry pictures that could not be decoded",
    details: "The server may be running.",
    options: dataOption,
    run: ({ config }) => withSite(config, rebuildPictures),
  },
];

async function rebuildPictures(db: Database): Promise<void> {
  const count = await removeFailures(db);
  console.log(
    count === 0
      ? "Nothing to retry: every picture has been decoded."
      : `${count} ${count === 1 ? "picture" : "pictures"} could not be decoded. The server will retry within an hour, or as soon as one is requested.`,
  );
}
