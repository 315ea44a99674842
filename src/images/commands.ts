import { type Command, dataOption } from "../command.ts";
import type { Config } from "../config.ts";
import { openDatabase, refuseMissingSite } from "../engines.ts";
import { removeFailures } from "./store.ts";

export const imageCommands: Command[] = [
  {
    name: "rebuild pictures",
    summary: "retry pictures that could not be decoded",
    details: "The server may be running.",
    options: dataOption,
    run: ({ config }) => rebuildPictures(config),
  },
];

async function rebuildPictures(config: Config): Promise<number> {
  await refuseMissingSite(config);
  const db = await openDatabase(config);
  try {
    const count = await removeFailures(db);
    console.log(
      count === 0
        ? "Nothing to retry: every picture has been decoded."
        : `${count} ${count === 1 ? "picture" : "pictures"} could not be decoded. The server will retry within an hour, or as soon as one is requested.`,
    );
    return 0;
  } finally {
    await db.close();
  }
}
