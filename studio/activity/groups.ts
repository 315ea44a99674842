import type { Activity } from "../../client/src/index.ts";

/** Changes that follow each other within this time were done together. */
const maxGap = 60_000;

/**
 * The same change, by the same person, to several records of one kind, even if others come between them: each picture
 * that is uploaded is a file and a photo. Newest first, as they come.
 */
export function inGroups(entries: readonly Activity[]): [Activity, ...Activity[]][] {
  const groups = new Set<[Activity, ...Activity[]]>();
  const open = new Map<string, [Activity, ...Activity[]]>();
  for (const entry of entries) {
    const key = `${entry.actor?.id} ${entry.action} ${entry.kind}`;
    let group = open.get(key);
    if (group && isSoonAfter(group, entry)) {
      group.push(entry);
    } else {
      group = [entry];
      groups.add(group);
      open.set(key, group);
    }
  }
  return [...groups];
}

const isSoonAfter = (group: Activity[], { createdAt, recordID }: Activity): boolean => {
  const last = group.at(-1);
  return (
    last !== undefined && last.recordID !== recordID && Date.parse(last.createdAt) - Date.parse(createdAt) <= maxGap
  );
};
