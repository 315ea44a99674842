import type { AlbumMove, AlbumWithPhotos, Photo } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { say } from "../lib/toasts.ts";
import { type Order, photoIn, readOrder, reorder } from "./album-photos.ts";
import type { Move } from "./moves.ts";
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

/** Moves a photo, and with it the others that are selected if it is one of them. */
export async function movePhotos(album: AlbumWithPhotos, { from, to }: Move, selected: ReadonlySet<number>) {
  const order = readOrder(album);
  const [photo] = order.splice(from, 1);
  if (!photo) return;
  order.splice(to, 0, photo);
  const isMoved = (other: Photo | undefined) =>
    other !== undefined && (other === photo || (selected.has(photo.id) && selected.has(other.id)));
  const group = readOrder(album).filter((other) => other !== undefined && isMoved(other)) as Photo[];
  const [before, after] = [order.slice(0, to), order.slice(to + 1)].map((part) =>
    part.filter((other) => !isMoved(other)),
  ) as [Order, Order];
  if (before.length + after.length === 0) return;
  const place = await findPlace(album, before, after);
  await reorder(album, [...before, ...group, ...after], () =>
    api.moveAlbumPhotos({ id: album.id, photoIDs: group.map(({ id }) => id), ...place }),
  );
}

/** Beside a photo that stays: the one before, or the one after at the start. It may not be loaded yet. */
async function findPlace({ id }: AlbumWithPhotos, before: Order, after: Order): Promise<Partial<AlbumMove>> {
  const neighbour = before.length > 0 ? before.at(-1) : after[0];
  const known = neighbour ?? (await photoIn(id, Math.max(0, before.length - 1)));
  return before.length > 0 ? { after: known.id } : { before: known.id };
}

/** Undo puts them back where they were. */
export async function removePhotos(album: AlbumWithPhotos, photoIDs: ReadonlySet<number>): Promise<void> {
  const { id } = album;
  const order = readOrder(album);
  const ids = [...photoIDs];
  const rest = order.filter((photo) => !photo || !photoIDs.has(photo.id));
  await reorder(album, rest, async () => {
    for (let at = 0; at < ids.length; at += atOnce) {
      await api.changePhotos({ ids: ids.slice(at, at + atOnce), removeFromAlbumID: id });
    }
    say({ text: t.removed(ids.length), undo: () => void putBack(id, order, photoIDs) });
    void queries.invalidateQueries({ queryKey: ["albums"] });
  });
}

async function putBack(id: number, order: Order, photoIDs: ReadonlySet<number>): Promise<void> {
  try {
    const ids = [...photoIDs];
    for (let at = 0; at < ids.length; at += atOnce)
      await api.changePhotos({ ids: ids.slice(at, at + atOnce), albumID: id });
    for (const { group, after, before } of runsOf(order, photoIDs)) {
      if (after !== undefined) await api.moveAlbumPhotos({ id, photoIDs: group, after });
      else if (before !== undefined) await api.moveAlbumPhotos({ id, photoIDs: group, before });
    }
  } catch (error) {
    say({ text: explain(error), isFailure: true, retry: () => void putBack(id, order, photoIDs) });
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
