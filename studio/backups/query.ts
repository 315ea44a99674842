import { queryOptions } from "@tanstack/react-query";
import type { Backups, Settings } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo } from "../lib/format.ts";
import { backupTexts as t } from "./texts.ts";

export const backupsQuery = queryOptions({
  queryKey: ["backups"],
  queryFn: ({ signal }) => api.listBackups({}, { signal }),
  // No event says when a backup is done.
  refetchInterval: ({ state }) => (state.data?.isRunning ? 1500 : false),
});

const dayMs = 86_400_000;
const oldAfterMs = { day: 3 * dayMs, week: 15 * dayMs, never: 30 * dayMs };

/** How good the last backup is, in a sentence, and what that means. */
export function judge(listed: Backups, every: Settings["backupEvery"]) {
  const { place, problem, lastRun, backups } = listed;
  const [newest] = backups;
  const warn = (text: string, hint: string) => ({ isGood: false, text, hint });
  if (place === null) return warn(t.noPlace, t.noPlaceHint);
  if (problem !== null) return warn(t.unreadable, problem);
  if (lastRun?.error) return warn(t.failed, lastRun.error);
  if (!newest) return warn(t.none, t.noneHint);
  const ago = formatAgo(newest.createdAt);
  if (Date.now() - Date.parse(newest.createdAt) > oldAfterMs[every]) return warn(t.old(ago), t.oldHint);
  if (newest.lostFiles > 0) return warn(t.last(ago), t.lost(newest.lostFiles));
  return { isGood: true, text: t.last(ago), hint: t.good };
}
