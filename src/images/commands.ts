import type { Config } from "../config.ts";
import { openDatabase } from "../engines.ts";
import { forgetFailures } from "./store.ts";

/** `vitrine rebuild pictures`, also while the server runs. Returns the exit code, or null for words it does not know. */
export async function rebuildCommand(words: string[], config: Config): Promise<number | null> {
  if (words.join(" ") !== "pictures") return null;
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
