import type { File } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { runJob, slicesOf } from "../lib/jobs.ts";
import { showToast } from "../lib/toasts.ts";
import { restoreRecords } from "../lib/trash.ts";
import { words } from "../lib/words.ts";
import { hideEntries, reloadFiles } from "./folder.ts";
import { addNumber, isWithin, nameKey, nameOf, pathOf } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";

/** What happens to an entry whose name is taken at the destination. */
export type OnConflict = "both" | "replace" | "skip";

export type Transfer = { entries: readonly File[]; to: string; isCopy: boolean };

/** The names at the destination, by their keys. */
type Names = ReadonlyMap<string, File>;

const maxListed = 20_000;
const [maxMovedPerRequest, maxCopiedPerRequest] = [200, 100];

/** An entry cannot be moved to where it is, and a directory not into itself. */
export function isPossible({ entries, to, isCopy }: Transfer): boolean {
  return entries.some((entry) => isTransferable(entry, to, isCopy));
}

const isTransferable = (entry: File, to: string, isCopy: boolean): boolean =>
  (isCopy || entry.path !== to) && !(entry.isDirectory && isWithin(to, pathOf(entry)));

/** Up to 20,000 names; beyond that, the server refuses a name that is taken. */
export async function listNames(path: string): Promise<Names> {
  const names = new Map<string, File>();
  for await (const entry of api.listDirectory.all({ path, pageSize: 1000 })) {
    names.set(nameKey(entry.name), entry);
    if (names.size >= maxListed) break;
  }
  return names;
}

/** Entries whose names are taken at the destination. A copy in the same directory always gets another name. */
export const findConflicts = ({ entries, to, isCopy }: Transfer, names: Names): File[] =>
  entries.filter((entry) => entry.path !== to && isTransferable(entry, to, isCopy) && names.has(nameKey(entry.name)));

/** Moves or copies entries in the background, with progress, and offers to undo it. */
export async function runTransfer(transfer: Transfer, names: Names, onConflict: OnConflict): Promise<void> {
  const { to, isCopy } = transfer;
  const conflicts = new Set(findConflicts(transfer, names));
  const entries = transfer.entries.filter(
    (entry) => isTransferable(entry, to, isCopy) && !(onConflict === "skip" && conflicts.has(entry)),
  );
  if (entries.length === 0) return;
  if (!isCopy) for (const path of new Set(entries.map((entry) => entry.path))) hideEntries(path, idsOf(entries));
  const done: File[] = [];
  const made: number[] = [];
  const problems: string[] = [];
  const takenBy = ({ name }: File) => names.get(nameKey(name)) as File;
  // A directory that contains the entry itself is not replaced.
  const isNamed = (entry: File) =>
    conflicts.has(entry) && (onConflict === "both" || isWithin(entry.path, pathOf(takenBy(entry))));
  const replaced = [...conflicts].filter((entry) => !isNamed(entry) && onConflict === "replace").map(takenBy);

  try {
    const label = (isCopy ? t.copying : t.moving)(entries.length, nameOf(to) || words.files);
    await runJob(label, entries.length, async (report, signal) => {
      if (replaced.length > 0) await trashAll(replaced);
      const work = isCopy ? copyAll : moveAll;
      await work({ to, names, entries, isNamed, signal, done, made, problems, report: () => report(done.length) });
    });
  } catch (error) {
    problems.push(explain(error));
  }
  if (done.length === 0 && replaced.length > 0) await restoreRecords("file", [...idsOf(replaced)]);
  void reloadFiles();
  announce(transfer, { done, renamed: new Set(done.filter(isNamed)), made, problems, replaced });
}

type Work = {
  to: string;
  names: Names;
  entries: readonly File[];
  /** Whether the entry gets another name. */
  isNamed: (entry: File) => boolean;
  signal: AbortSignal;
  report: () => void;
  /** What was transferred, ids of copies, and what was refused. */
  done: File[];
  made: number[];
  problems: string[];
};

async function moveAll({ to, names, entries, isNamed, signal, done, problems, report }: Work): Promise<void> {
  const taken = new Set(names.keys());
  for (const some of slicesOf(
    entries.filter((entry) => !isNamed(entry)),
    maxMovedPerRequest,
  )) {
    if (signal.aborted) return;
    const { results } = await api.changeFiles({ ids: some.map(({ id }) => id), move: { path: to } });
    for (const [index, { error }] of results.entries()) {
      if (error === null) done.push(some[index] as File);
      else problems.push(error);
    }
    report();
  }
  for (const entry of entries.filter(isNamed)) {
    if (signal.aborted) return;
    const name = freeName(entry.name, taken);
    taken.add(nameKey(name));
    await api.moveFile({ id: entry.id, path: to, name });
    done.push(entry);
    report();
  }
}

/** The server finds free names. */
async function copyAll({ to, entries, signal, done, made, problems, report }: Work): Promise<void> {
  for (const some of slicesOf(entries, maxCopiedPerRequest)) {
    if (signal.aborted) return;
    const { results } = await api.changeFiles({ ids: some.map(({ id }) => id), copy: { path: to } });
    for (const [index, { copyID, error }] of results.entries()) {
      const entry = some[index] as File;
      if (copyID === null) problems.push(`${entry.name}: ${error}`);
      else {
        made.push(copyID);
        done.push(entry);
      }
    }
    report();
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(nameKey(addNumber(name, number)))) number++;
  return addNumber(name, number);
}

type Outcome = { done: File[]; renamed: Set<File>; made: number[]; problems: string[]; replaced: File[] };

function announce({ to, isCopy }: Transfer, { done, renamed, made, problems, replaced }: Outcome): void {
  const place = nameOf(to) || words.files;
  const first = problems[0];
  if (first) showToast({ text: t.someFailed(problems.length, first), isFailure: true });
  if (done.length === 0) return;
  const undo = async () => {
    try {
      if (isCopy) await trashAll(made.map((id) => ({ id })));
      else await moveBack(done, renamed);
      if (replaced.length > 0) await restoreRecords("file", [...idsOf(replaced)]);
    } catch (error) {
      showToast({ text: explain(error), isFailure: true, retry: () => void undo() });
    }
    void reloadFiles();
  };
  showToast({ text: (isCopy ? t.copied : t.moved)(done.length, place), undo: () => void undo() });
}

/** Those that got another name get back their own. */
async function moveBack(entries: readonly File[], renamed: ReadonlySet<File>): Promise<void> {
  for (const { id, path, name } of renamed) await api.moveFile({ id, path, name });
  const others = entries.filter((entry) => !renamed.has(entry));
  for (const [path, some] of Map.groupBy(others, (entry) => entry.path)) {
    for (const slice of slicesOf(some, maxMovedPerRequest)) {
      await api.changeFiles({ ids: slice.map(({ id }) => id), move: { path } });
    }
  }
}

async function trashAll(entries: readonly { id: number }[]): Promise<void> {
  for (const some of slicesOf(entries, 1000)) {
    await api.changeFiles({ ids: some.map(({ id }) => id), trash: true });
  }
}

const idsOf = (entries: readonly File[]): Set<number> => new Set(entries.map(({ id }) => id));
