import type { File } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatBytes } from "../lib/format.ts";
import { runJob, slicesOf } from "../lib/jobs.ts";
import { showToast } from "../lib/toasts.ts";
import { restoreRecords } from "../lib/trash.ts";
import { hideEntries, reloadFiles, showEntries, showFirst } from "./folder.ts";
import { addNumber, nameKey } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";

const atOnce = 500;

/** Moves entries of one directory to the trash at once, and offers to undo it. */
export async function trashEntries(entries: readonly File[]): Promise<void> {
  const [first] = entries;
  if (!first) return;
  hideEntries(first.path, new Set(entries.map(({ id }) => id)));
  const done: number[] = [];
  const problems: string[] = [];
  try {
    await runJob(t.deleting(entries.length), entries.length, async (report, signal) => {
      for (const some of slicesOf(entries, atOnce)) {
        if (signal.aborted) return;
        const { results } = await api.changeFiles({ ids: some.map(({ id }) => id), trash: true });
        for (const { id, error } of results) {
          if (error === null) done.push(id);
          else problems.push(error);
        }
        report(done.length);
      }
    });
  } catch (error) {
    problems.push(explain(error));
  }
  void reloadFiles();
  const problem = problems[0];
  if (problem) {
    const left = entries.filter(({ id }) => !done.includes(id));
    showToast({ text: t.someFailed(left.length, problem), isFailure: true, retry: () => void trashEntries(left) });
  }
  if (done.length > 0) {
    const text = done.length === 1 ? t.trashedOne(first.name) : t.trashedMany(done.length);
    showToast({ text, undo: () => void restoreRecords("file", done) });
  }
}

/** The new name is shown at once. If the server refuses it, the old one comes back and the reason is shown. */
export async function renameEntry(entry: File, name: string): Promise<void> {
  const show = (shown: string) =>
    showEntries(entry.path, (entries) => entries.map((one) => (one.id === entry.id ? { ...one, name: shown } : one)));
  show(name);
  try {
    await api.changeFile({ id: entry.id, name });
    showToast({ text: t.renamed(name), undo: () => void renameEntry({ ...entry, name }, entry.name) });
  } catch (error) {
    show(entry.name);
    showToast({ text: `${t.notRenamed(entry.name)} ${explain(error)}`, isFailure: true });
  }
  void reloadFiles();
}

/** Creates a directory with a free name, for which another can be typed afterwards. */
export function createNumbered(path: string, shown: readonly File[]): Promise<File | null> {
  const taken = new Set(shown.map(({ name }) => nameKey(name)));
  let name = t.newFolderName;
  for (let number = 1; taken.has(nameKey(name)); number++) name = addNumber(t.newFolderName, number);
  return createFolder(path, name);
}

/** Returns null if that failed. */
export async function createFolder(path: string, name: string): Promise<File | null> {
  try {
    const made = await api.createDirectory({ path, name });
    await reloadFiles();
    showFirst(made);
    return made;
  } catch (error) {
    showToast({ text: explain(error), isFailure: true });
    return null;
  }
}

export async function setVisibility(entries: readonly File[], visibility: File["visibility"]): Promise<void> {
  const changed = entries.filter((entry) => entry.visibility !== visibility);
  const [first] = changed;
  if (!first) return;
  const ids = new Set(changed.map(({ id }) => id));
  showEntries(first.path, (shown) => shown.map((one) => (ids.has(one.id) ? { ...one, visibility } : one)));
  try {
    await runJob(t.changing, changed.length, async (report, signal) => {
      let done = 0;
      for (const some of slicesOf([...ids], atOnce)) {
        if (signal.aborted) return;
        const { results } = await api.changeFiles({ ids: some, visibility });
        const refused = results.find(({ error }) => error !== null);
        if (refused) showToast({ text: refused.error ?? "", isFailure: true });
        report((done += some.length));
      }
    });
    const before = visibility === "public" ? "private" : "public";
    const undo = () =>
      void setVisibility(
        changed.map((entry) => ({ ...entry, visibility })),
        before,
      );
    showToast({ text: (visibility === "public" ? t.nowPublic : t.nowPrivate)(changed.length), undo });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void setVisibility(entries, visibility) });
  }
  void reloadFiles();
}

/** The new content gets a version; the name stays. */
export async function replaceContent(entry: File, content: globalThis.File): Promise<void> {
  try {
    const send = (report: (sent: number) => void, signal: AbortSignal) =>
      api.upload(content, {
        name: entry.name,
        path: entry.path,
        onConflict: "replace",
        signal,
        onProgress: ({ sent }) => report(sent),
      });
    await runJob(t.replacing(entry.name), content.size, send, formatBytes);
    showToast({ text: t.replaced(entry.name) });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    showToast({ text: explain(error), isFailure: true, retry: () => void replaceContent(entry, content) });
  }
  void reloadFiles();
}

/** Uploads over files that are there, which keep their earlier content as a version. */
export async function replaceByUploads(path: string, files: readonly globalThis.File[]): Promise<void> {
  for (const file of files) await replaceContent({ path, name: file.name } as File, file);
}
