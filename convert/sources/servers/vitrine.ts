import type { Visibility } from "../../../src/core/records/visibility.ts";
import type { Remote } from "../../../src/platform/outgoing/remote.ts";
import type { FileItem, Item } from "../../../src/features/imports/item.ts";
import { type Limit, limitTo } from "../vitrine/site.ts";
import {
  createPlaces,
  type Places,
  placePhotos,
  refusedPhoto,
  rememberPhoto,
  toAlbum,
  toFile,
  withParentsFirst,
} from "../vitrine/to-photos.ts";
import { readFile, type ServerKind } from "./server.ts";
import {
  createVitrineClient,
  type VitrineAlbum,
  type VitrineClient,
  type VitrineFile,
  type VitrinePhoto,
} from "./vitrine-client.ts";
import { listPosts } from "./vitrine-posts.ts";

const deepest = 60;

type Context = {
  remote: Remote;
  vitrine: VitrineClient;
  me: { id: number; isAdmin: boolean };
  /** By the ids of their files. */
  photos: Map<number, VitrinePhoto>;
  places: Places;
  limit: Limit;
};

/** What belongs to one person of another site, or to all of them if that is an admin. */
export const vitrineKind = (remote: Remote): ServerKind => ({
  kind: "vitrine",
  title: "Vitrine",
  alwaysHasPhotos: true,
  check: () => createVitrineClient(remote).readMe(),
  open: (name, wish) => ({ kind: "vitrine", name, items: () => listItems(remote, wish.visibility) }),
});

async function* listItems(remote: Remote, wished: Visibility): AsyncGenerator<Item> {
  const vitrine = createVitrineClient(remote);
  const me = await vitrine.readMe();
  const limit = limitTo(wished);
  const places = createPlaces();
  yield* listAlbums(vitrine, me.whose, places, limit);
  const photos = new Map<number, VitrinePhoto>();
  for await (const photo of vitrine.photos(me.whose)) yield* rememberPhoto(photo, photos);
  const shown = new Map([...photos].map(([fileID, { id, altText }]) => [id, { fileID, altText }]));
  yield* listFiles({ remote, vitrine, me, photos, places, limit });
  for (const photo of photos.values()) yield refusedPhoto(photo, "Its file belongs to somebody else.");
  yield* listPosts({ url: remote.url, vitrine, whose: me.whose, shown, limit });
}

async function* listAlbums(vitrine: VitrineClient, whose: string, places: Places, limit: Limit): AsyncGenerator<Item> {
  const all = new Map<number, VitrineAlbum>();
  // Oldest first: a new album at the top level comes before the others.
  for (const album of (await Array.fromAsync(vitrine.albums(whose))).toReversed()) all.set(album.id, album);
  for (const album of withParentsFirst(all)) {
    yield toAlbum(album, all, limit);
    if (album.filter) continue;
    const photos = await Array.fromAsync(vitrine.photosOf(album.id), ({ id }) => id);
    placePhotos(places, album, photos);
  }
}

async function* listFiles(context: Context): AsyncGenerator<Item> {
  const { vitrine, me, limit } = context;
  yield { kind: "directory", key: ".", path: [], visibility: limit("public") };
  const directories: { path: string[]; isPrivate: boolean }[] = [{ path: [], isPrivate: false }];
  const seen = new Set<string>();
  for (let above = directories.pop(); above !== undefined; above = directories.pop()) {
    for await (const file of vitrine.directory(`/${above.path.join("/")}`)) {
      if (file.ownerID !== me.id && !me.isAdmin) continue;
      const path = [...above.path, file.name];
      const key = `/${path.join("/")}`;
      // Everything in a private directory is private.
      const visibility = above.isPrivate ? "private" : file.visibility;
      if (!file.isDirectory) yield toFileOf({ ...file, visibility }, path, context);
      else if (!seen.has(key) && path.length <= deepest) {
        seen.add(key);
        directories.push({ path, isPrivate: visibility === "private" });
        yield { kind: "directory", key, path, visibility: limit(visibility) };
      }
    }
  }
}

function toFileOf(file: VitrineFile, path: string[], { remote, photos, places, limit }: Context): FileItem {
  const { id, size, sha256 } = file;
  const photo = photos.get(id);
  photos.delete(id);
  const checksum = sha256 === null ? null : ({ algorithm: "sha256", digest: sha256, encoding: "hex" } as const);
  return {
    ...toFile(file, path, { photo, places, limit }),
    open: () => readFile(remote, `/api/v1/files/${id}/content`, size, checksum),
  };
}
