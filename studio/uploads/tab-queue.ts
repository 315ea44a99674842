import { api } from "../lib/api.ts";
import { clock } from "../lib/clock.ts";
import { meQuery } from "../lib/me.ts";
import { queries } from "../lib/queries.ts";
import { keptUploads } from "./kept.ts";
import { createQueue } from "./queue.ts";

/** The uploads of this tab, whatever screen is open. */
const queue = createQueue({
  api,
  storage: keptUploads,
  clock,
  userID: () => queries.getQueryData(meQuery.queryKey)?.id ?? 0,
});

export const uploadList = queue.list;
export const { addToQueue, resumeUploads, pauseUploads, continueUploads, wouldLose } = queue;
export const { retryUploads, cancelUploads, showUploadsTo, clearFinished } = queue;
