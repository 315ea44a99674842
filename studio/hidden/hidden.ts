import type { HiddenRecords } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { language } from "../lib/language.ts";
import { queries } from "../lib/queries.ts";
import { createSharedValue } from "../lib/shared-value.ts";
import { showToast, type Toast } from "../lib/toasts.ts";
import { hiddenTexts as t } from "./texts.ts";

/** What guests will not see of something that is published, and how to say it. */
export type Publication = {
  find: (signal?: AbortSignal) => Promise<HiddenRecords>;
  describe: (hidden: HiddenRecords) => string;
};

export const publicationOfPost = (content: string, coverID: number | null): Publication => ({
  find: (signal) => api.previewPost({ content, coverID }, { signal }).then(({ hidden }) => hidden),
  describe({ count, photoIDs, albumIDs }) {
    const albums = albumIDs.length;
    // Of very many photos, only the first have ids; there are few files.
    const photos = photoIDs.length;
    const parts = [
      ...(albums > 0 ? [countOf(recordKinds.album, albums)] : []),
      ...(photos > 0 ? [countOf(recordKinds.photo, photos)] : []),
      ...(count > albums + photos ? [countOf(recordKinds.file, count - albums - photos)] : []),
    ];
    return t.inPost(new Intl.ListFormat(language).format(parts));
  },
});

export const publicationOfAlbum = ({ id, photoCount }: { id: number; photoCount: number }): Publication => ({
  find: (signal) => api.listHiddenPhotos({ id }, { signal }),
  describe: ({ count }) => t.inAlbum(photoCount - count, photoCount),
});

const countListed = ({ photoIDs, albumIDs, fileIDs }: HiddenRecords): number =>
  photoIDs.length + albumIDs.length + fileIDs.length;

/** Says what was published, and what guests do not see of it. */
export async function sayPublished(publication: Publication, { text, undo }: Pick<Toast, "text" | "undo">) {
  // It is published: that this is not known is not a failure.
  const hidden = await publication.find().catch(() => null);
  if (!hidden || hidden.count === 0) return showToast({ text, ...(undo && { undo }) });
  const action = { label: t.makePublic(hidden.count), run: () => void makePublic(publication) };
  showToast({ text: `${text} ${publication.describe(hidden)}`, ...(undo && { undo }), action });
}

/** Makes all of it public, and offers to undo that. */
export async function makePublic(publication: Publication): Promise<void> {
  const done: HiddenRecords[] = [];
  try {
    // Not all are listed at once; and what is in a private folder stays hidden.
    for (let last = Infinity; ;) {
      const hidden = await publication.find();
      if (countListed(hidden) === 0 || hidden.count >= last) break;
      last = hidden.count;
      await change(hidden, "public");
      done.push(hidden);
    }
    const count = done.reduce((sum, hidden) => sum + countListed(hidden), 0);
    if (count > 0) showToast({ text: t.madePublic(count), undo: () => void undo(done) });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void makePublic(publication) });
  }
  reload();
}

async function undo(done: HiddenRecords[]): Promise<void> {
  try {
    for (const hidden of done) await change(hidden, "private");
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void undo(done) });
  }
  reload();
}

async function change({ photoIDs, albumIDs, fileIDs }: HiddenRecords, visibility: "public" | "private"): Promise<void> {
  if (photoIDs.length > 0) await api.changePhotos({ ids: photoIDs, set: { visibility } });
  if (albumIDs.length > 0) await api.changeAlbums({ ids: albumIDs, visibility });
  if (fileIDs.length > 0) await api.changeFiles({ ids: fileIDs, visibility });
}

const changes = createSharedValue(0);
/** Another number after something was made public or private here. */
export const useHiddenChanges = changes.use;

function reload(): void {
  changes.change(changes.read() + 1);
  for (const kind of ["hidden", "photos", "timeline", "albums", "files"])
    void queries.invalidateQueries({ queryKey: [kind] });
}
