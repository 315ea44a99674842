import { findPrivate, findPrivateIn, type Hidden, toHidden } from "../albums/hidden.ts";
import { findFiles } from "../files/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { type Embed, listEmbeds } from "./embeds.ts";

/** What guests do not see of a post, also by record, and the number of photos by album. */
type HiddenIn = { hidden: Hidden; isHidden: (embed: Embed) => boolean; countIn: (albumID: number) => number };

/** What the HTML of a post embeds, and its cover, as far as the viewer sees it and guests do not. */
export async function findHidden(
  db: Reader,
  viewer: Viewer,
  html: string,
  coverID: number | null | undefined,
): Promise<HiddenIn> {
  const embeds = listEmbeds(html);
  const idsOf = (wanted: Embed["kind"]) => embeds.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const embedded = idsOf("file");
  const [photos, albums, inAlbums, own, everyones] = await Promise.all([
    findPrivate(db, viewer, "photos", [...new Set([...idsOf("photo"), ...(coverID ? [coverID] : [])])]),
    findPrivate(db, viewer, "albums", idsOf("album")),
    findPrivateIn(db, viewer, idsOf("album")),
    findFiles(db, viewer, embedded),
    findFiles(db, null, embedded),
  ]);
  const files = [...own.values()].filter(({ id, url }) => url !== null && !everyones.has(id));
  // One in a private directory stays hidden, whatever it is itself.
  const ownPrivate = files.filter(({ visibility }) => visibility === "private").map(({ id }) => id);
  const all = {
    photo: new Set([...photos, ...[...inAlbums.values()].flat()]),
    album: new Set(albums),
    file: new Set(files.map(({ id }) => id)),
  };
  const ids = { photos: [...all.photo], albums, files: ownPrivate };
  return {
    hidden: toHidden(ids, all.photo.size + all.album.size + all.file.size),
    isHidden: ({ kind, id }) => all[kind].has(id),
    countIn: (albumID) => inAlbums.get(albumID)?.length ?? 0,
  };
}
