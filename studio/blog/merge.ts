import { compareItems } from "./diff.ts";

/** A range of lines of the base, and the lines that replace it. */
type Change = { from: number; to: number; lines: string[] };

/**
 * A text with the changes of both sides. Where both have changed the same lines, the lines of both are in it, mine first.
 * Without a base, what only one side has is taken as added.
 */
export function mergeTexts(base: string | null, mine: string, theirs: string): string {
  if (base === null) return mergeTwo(mine.split("\n"), theirs.split("\n")).join("\n");
  const lines = base.split("\n");
  const groups = groupChanges(changesOf(lines, mine.split("\n")), changesOf(lines, theirs.split("\n")));
  const merged: string[] = [];
  let at = 0;
  for (const { from, to, mine, theirs } of groups) {
    merged.push(...lines.slice(at, from));
    const ours = withChanges(lines, { from, to }, mine);
    const others = withChanges(lines, { from, to }, theirs);
    if (theirs.length === 0) merged.push(...ours);
    else if (mine.length === 0) merged.push(...others);
    else merged.push(...mergeTwo(ours, others));
    at = to;
  }
  return [...merged, ...lines.slice(at)].join("\n");
}

function mergeTwo(mine: string[], theirs: string[]): string[] {
  const merged: string[] = [];
  let [one, other] = [0, 0];
  for (const run of compareItems(mine, theirs)) {
    merged.push(...mine.slice(one, run.one), ...theirs.slice(other, run.other));
    merged.push(...mine.slice(run.one, run.one + run.length));
    [one, other] = [run.one + run.length, run.other + run.length];
  }
  return [...merged, ...mine.slice(one), ...theirs.slice(other)];
}

function changesOf(base: string[], changed: string[]): Change[] {
  const changes: Change[] = [];
  let [at, other] = [0, 0];
  for (const run of [...compareItems(base, changed), { one: base.length, other: changed.length, length: 0 }]) {
    if (run.one > at || run.other > other)
      changes.push({ from: at, to: run.one, lines: changed.slice(other, run.other) });
    [at, other] = [run.one + run.length, run.other + run.length];
  }
  return changes;
}

type Group = { from: number; to: number; mine: Change[]; theirs: Change[] };

/** Changes of both sides that touch each other are one group. */
function groupChanges(mine: Change[], theirs: Change[]): Group[] {
  const all = [
    ...mine.map((change) => ({ change, isMine: true })),
    ...theirs.map((change) => ({ change, isMine: false })),
  ].toSorted((one, other) => one.change.from - other.change.from);
  const groups: Group[] = [];
  for (const { change, isMine } of all) {
    const last = groups.at(-1);
    const group = last && change.from <= last.to ? last : { from: change.from, to: change.to, mine: [], theirs: [] };
    if (group !== last) groups.push(group);
    group.to = Math.max(group.to, change.to);
    (isMine ? group.mine : group.theirs).push(change);
  }
  return groups;
}

function withChanges(base: string[], { from, to }: { from: number; to: number }, changes: Change[]): string[] {
  const lines: string[] = [];
  let at = from;
  for (const change of changes) {
    lines.push(...base.slice(at, change.from), ...change.lines);
    at = change.to;
  }
  return [...lines, ...base.slice(at, to)];
}
