import type { Photo, PhotoBatch } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatNumber } from "../lib/format.ts";
import { slicesOf } from "../lib/jobs.ts";
import { changeItems, queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { restoreRecords } from "../lib/trash.ts";
import { photosTexts as t } from "./texts.ts";
import { type FileNow, type FilesNow, undoingBatches, undoingFileBatches } from "./undo.ts";

export type Changes = Omit<PhotoBatch, "ids">;
type Options = {
  /** What is said when it is done. */
  text?: (count: string) => string;
  onProgress?: (done: number) => void;
  signal?: AbortSignal;
};

const maxPerRequest = 1000;

/** Changes photos at once in what is shown, then on the server. Says what has happened, and offers to undo it. */
export async function changeMany(photos: readonly Photo[], changes: Changes, options: Options = {}): Promise<void> {
  // What is being read may still have the photos. It is read again when they are deleted.
  if (changes.trash) await queries.cancelQueries({ queryKey: ["photos"] });
  patchPhotos(new Set(photos.map(({ id }) => id)), (photo) => predict(photo, changes));
  try {
    const { changed, added, files, refusal, refused } = await send(photos, changes, options);
    const undo = changes.trash
      ? () => void restoreRecords("photo", changed)
      : () =>
          void undoAll(
            photos.filter(({ id }) => changed.includes(id)),
            changes,
            { added, files },
          );
    const canUndo = changed.length > 0 && (changes.trash || undoingBatches(photos, changes, added) !== null);
    const text = changes.trash
      ? describeDeleted(changed.length, files)
      : describeChanged(changed.length, files, { changes, options });
    if (changed.length > 0) showToast({ text, ...(canUndo && { undo }) });
    if (refusal !== null) showToast({ text: t.refused(formatNumber(refused), refusal), isFailure: true });
  } catch (error) {
    if (!options.signal?.aborted)
      showToast({ text: explain(error), isFailure: true, retry: () => void changeMany(photos, changes, options) });
  }
  void reloadPhotos();
}

async function send(photos: readonly Photo[], changes: Changes, { onProgress, signal }: Options) {
  const changed: number[] = [];
  const added = new Set<number>();
  const files: FilesNow = new Map();
  const fileIDs = new Map(photos.map(({ id, fileID }) => [id, fileID]));
  // What is deleted here is meant to be gone, and not only its photo.
  const sent = changes.trash ? { ...changes, withFile: true } : changes;
  let refusal: string | null = null;
  let done = 0;
  for (const some of slicesOf(photos, maxPerRequest)) {
    const { results } = await api.changePhotos({ ids: some.map(({ id }) => id), ...sent }, { signal });
    for (const { id, status, error, file, isAdded } of results) {
      const fileID = fileIDs.get(id);
      if (file && fileID) files.set(fileID, file);
      if (isAdded) added.add(id);
      if (status === 200) changed.push(id);
      else refusal ??= error;
    }
    onProgress?.((done += some.length));
  }
  return { changed, added, files, refusal, refused: photos.length - changed.length };
}

const countFiles = (files: FilesNow, wanted: FileNow): number =>
  [...files.values()].filter((now) => now === wanted).length;

function describeDeleted(count: number, files: FilesNow): string {
  const gone = countFiles(files, "trashed");
  const kept = files.size - gone;
  return [t.deleted(count, gone, kept), ...(kept > 0 ? [t.filesStay(kept)] : [])].join(" ");
}

type Said = { changes: Changes; options: Options };

function describeChanged(count: number, files: FilesNow, { changes, options: { text = t.changed } }: Said): string {
  const shown = changes.set?.visibility === "private" ? countFiles(files, "public") : 0;
  return [text(formatNumber(count)), ...(shown > 0 ? [t.filesStayPublic(shown)] : [])].join(" ");
}

type Done = { added: ReadonlySet<number>; files: FilesNow };

async function undoAll(photos: readonly Photo[], changes: Changes, done: Done): Promise<void> {
  const { added, files } = done;
  try {
    for (const batch of undoingBatches(photos, changes, added) ?? []) await api.changePhotos(batch);
    for (const batch of undoingFileBatches(photos, files)) await api.changeFiles(batch);
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void undoAll(photos, changes, done) });
  }
  void reloadPhotos();
}

export const reloadPhotos = () =>
  Promise.all(
    ["photos", "timeline", "albums", "files", "trash"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );

/** What the photo will be; null if it disappears. */
function predict(photo: Photo, { set, addTags = [], removeTags = [], trash }: Changes): Photo | null {
  if (trash) return null;
  const { isFavourite = photo.isFavourite, visibility = photo.visibility } = set ?? {};
  const tags = [...photo.tags.filter((tag) => !removeTags.includes(tag)), ...addTags];
  return { ...photo, isFavourite, visibility, tags: [...new Set(tags)] };
}

/** Changes photos in every grid that has been loaded. Those for which `change` returns null are left out. */
export const patchPhotos = (ids: ReadonlySet<number>, change: (photo: Photo) => Photo | null): void =>
  changeItems<Photo>(["photos", "section"], (photos) =>
    photos.some(({ id }) => ids.has(id))
      ? photos.flatMap((photo) => (ids.has(photo.id) ? (change(photo) ?? []) : photo))
      : photos,
  );
