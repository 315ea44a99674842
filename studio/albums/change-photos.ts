import type { AlbumWithPhotos, Photo } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { slicesOf } from "../lib/jobs.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { type Order, photoIn, readOrder, reorder } from "./album-photos.ts";
import type { Move } from "./moves.ts";
import { albumTexts as t } from "./texts.ts";

/** The API accepts this many records at once. */
const atOnce = 1000;

export async function addPhotos(albumID: number, photos: readonly Photo[]): Promise<void> {
  let refused = 0;
  try {
    for (const some of slicesOf(photos, atOnce)) {
      const { results } = await api.changePhotos({ ids: some.map(({ id }) => id), albumID });
      refused += results.filter(({ status }) => status !== 200).length;
    }
    showToast(refused > 0 ? { text: t.refused(refused), isFailure: true } : { text: t.added(photos.length) });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void addPhotos(albumID, photos) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

/** Moves a photo, and with it the others that are selected if it is one of them. */
export async function movePhotos(album: AlbumWithPhotos, { from, to }: Move, selected: ReadonlySet<number>) {
  const order = readOrder(album);
  const photo = order[from];
  if (!photo) return;
  const isMoved = (position: number) => {
    const other = order[position];
    return other === photo || (other !== undefined && selected.has(photo.id) && selected.has(other.id));
  };
  const positions = [...order.keys()];
  positions.splice(from, 1);
  positions.splice(to, 0, from);
  const before = positions.slice(0, to).filter((position) => !isMoved(position));
  const after = positions.slice(to + 1).filter((position) => !isMoved(position));
  // Beside a photo that stays: the one before, or at the start the one after. It may not be loaded yet.
  const neighbour = before.at(-1) ?? after[0];
  if (neighbour === undefined) return;
  const group = order.filter((_, position) => isMoved(position)) as Photo[];
  const at = (position: number) => order[position];
  await reorder(album, [...before.map(at), ...group, ...after.map(at)], async () => {
    const { id } = order[neighbour] ?? (await photoIn(album.id, neighbour));
    const place = before.length > 0 ? { after: id } : { before: id };
    return api.moveAlbumPhotos({ id: album.id, photoIDs: group.map((one) => one.id), ...place });
  });
}

/** Undo puts them back where they were. */
export async function removePhotos(album: AlbumWithPhotos, photoIDs: ReadonlySet<number>): Promise<void> {
  const { id } = album;
  const order = readOrder(album);
  const rest = order.filter((photo) => !photo || !photoIDs.has(photo.id));
  await reorder(album, rest, async () => {
    for (const ids of slicesOf([...photoIDs], atOnce)) await api.changePhotos({ ids, removeFromAlbumID: id });
    showToast({ text: t.removed(photoIDs.size), undo: () => void putBack(id, order, photoIDs) });
    void queries.invalidateQueries({ queryKey: ["albums"] });
  });
}

async function putBack(id: number, order: Order, photoIDs: ReadonlySet<number>): Promise<void> {
  try {
    for (const ids of slicesOf([...photoIDs], atOnce)) await api.changePhotos({ ids, albumID: id });
    for (const { group, after, before } of runsOf(order, photoIDs)) {
      if (after !== undefined) await api.moveAlbumPhotos({ id, photoIDs: group, after });
      else if (before !== undefined) await api.moveAlbumPhotos({ id, photoIDs: group, before });
    }
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void putBack(id, order, photoIDs) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

/** Photos that stood beside each other, and those around them. */
function runsOf(order: Order, photoIDs: ReadonlySet<number>) {
  const runs: { group: number[]; after: number | undefined; before: number | undefined }[] = [];
  let last: Photo | undefined;
  for (const photo of order) {
    const run = runs.at(-1);
    if (photo && photoIDs.has(photo.id)) {
      if (run && run.group.at(-1) === last?.id) run.group.push(photo.id);
      else runs.push({ group: [photo.id], after: last?.id, before: undefined });
    } else if (run && run.group.at(-1) === last?.id) run.before = photo?.id;
    last = photo;
  }
  return runs;
}
