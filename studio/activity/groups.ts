import type { Activity } from "../../client/src/index.ts";
import { shownKindOf } from "../lib/kinds.ts";

/** Changes that follow each other within this time were done together. */
const maxGap = 60_000;

type Group = { entries: [Activity, ...Activity[]]; ids: Set<number>; begin: number };

/**
 * The same change, by the same person, to several records of one kind, even if others come between them: each picture
 * that is uploaded is a file and a photo. A record that was changed several times then counts once. Newest first, as
 * they come.
 */
export function inGroups(entries: readonly Activity[]): [Activity, ...Activity[]][] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const entry of entries) {
    const key = `${entry.actor?.id} ${entry.action} ${shownKindOf(entry)}`;
    const time = Date.parse(entry.createdAt);
    const group = open.get(key);
    if (group && group.begin - time <= maxGap) {
      group.begin = time;
      if (!group.ids.has(entry.recordID)) group.entries.push(entry);
      group.ids.add(entry.recordID);
    } else {
      const next: Group = { entries: [entry], ids: new Set([entry.recordID]), begin: time };
      groups.push(next);
      open.set(key, next);
    }
  }
  return groups.map((group) => group.entries);
}
