import type { AlbumWithPhotos, Photo } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { say } from "../lib/toasts.ts";
import { albumTexts as t } from "./texts.ts";

/** The API takes so many records at once. */
const atOnce = 1000;

export async function addPhotos(albumID: number, photos: readonly Photo[]): Promise<void> {
  let refused = 0;
  try {
    for (let at = 0; at < photos.length; at += atOnce) {
      const ids = photos.slice(at, at + atOnce).map(({ id }) => id);
      const { results } = await api.changePhotos({ ids, albumID });
      refused += results.filter(({ status }) => status !== 200).length;
    }
    say(refused > 0 ? { text: t.refused(refused), isFailure: true } : { text: t.added(photos.length) });
  } catch (error) {
    say({ text: explain(error), isFailure: true, retry: () => void addPhotos(albumID, photos) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

/** Undo puts them back where they were. */
export async function removePhotos({ id }: AlbumWithPhotos, photoIDs: readonly number[]): Promise<void> {
  try {
    const before = (await Array.fromAsync(api.listAlbumPhotos.all({ id }))).map((photo) => photo.id);
    const removed = new Set(photoIDs);
    await setPhotos(
      id,
      before.filter((photoID) => !removed.has(photoID)),
    );
    say({ text: t.removed(photoIDs.length), undo: () => void setPhotos(id, before) });
  } catch (error) {
    say({ text: explain(error), isFailure: true });
  }
}

async function setPhotos(id: number, photoIDs: number[]): Promise<void> {
  await api.setAlbumPhotos({ id, photoIDs });
  void queries.invalidateQueries({ queryKey: ["albums"] });
}
