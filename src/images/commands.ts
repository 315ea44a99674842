import { type Command, dataOption } from "../command.ts";
import type { Config } from "../config.ts";
import { openDatabase, refuseMissingSite } from "../engines.ts";
import { forgetFailures } from "./store.ts";

export const imageCommands: Command[] = [
  {
    name: "rebuild pictures",
    summary: "try again to decode the pictures that could not be decoded",
    details: "Works also while the server runs.",
    options: dataOption,
    run: ({ config }) => rebuildPictures(config),
  },
];

async function rebuildPictures(config: Config): Promise<number> {
  await refuseMissingSite(config);
  const db = await openDatabase(config);
  try {
    const count = await forgetFailures(db);
    console.log(
      count === 0
        ? "Every picture was decoded: there is nothing to try again."
        : `${count} ${count === 1 ? "picture" : "pictures"} could not be decoded. The server tries again within an hour, or as soon as one is requested.`,
    );
    return 0;
  } finally {
    await db.close();
  }
}
