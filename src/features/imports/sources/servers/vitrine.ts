import type { Visibility } from "../../../../core/records/visibility.ts";
import { longestTitle } from "../../../../content/photos/photo.ts";
import type { Remote } from "../../../../platform/outgoing/remote.ts";
import type { FileItem, Item, PhotoDetails } from "../../item.ts";
import { readFile, type ServerKind } from "./server.ts";
import { acceptableTags, toLine, toText } from "../../acceptable.ts";
import {
  createVitrineClient,
  type VitrineAlbum,
  type VitrineClient,
  type VitrineFile,
  type VitrinePhoto,
} from "./vitrine-client.ts";
import { keyOf, listPosts } from "./vitrine-posts.ts";

const deepest = 60;

type Refused = Extract<Item, { kind: "refused" | "note" }>;

/** By the ids of photos. */
type Places = {
  albums: Map<number, string[]>;
  positions: Map<number, Record<string, number>>;
  covers: Map<number, string[]>;
};

type Context = {
  remote: Remote;
  vitrine: VitrineClient;
  me: { id: number; isAdmin: boolean };
  /** By the ids of their files. */
  photos: Map<number, VitrinePhoto>;
  places: Places;
  /** Nothing becomes more visible than it was. */
  limit: (visibility: Visibility) => Visibility;
};

/** What belongs to one person of another site, or to all of them if that is an admin. */
export const vitrineKind = (remote: Remote): ServerKind => ({
  kind: "vitrine",
  title: "Vitrine",
  alwaysHasPhotos: true,
  open: (name, wish) => ({ kind: "vitrine", name, items: () => listItems(remote, wish.visibility) }),
});

async function* listItems(remote: Remote, wished: Visibility | undefined): AsyncGenerator<Item> {
  const vitrine = createVitrineClient(remote);
  const me = await vitrine.readMe();
  const limit = (visibility: Visibility) => (wished === "private" ? "private" : visibility);
  const places: Places = { albums: new Map(), positions: new Map(), covers: new Map() };
  yield* listAlbums(vitrine, me.whose, places, limit);
  const photos = new Map<number, VitrinePhoto>();
  for await (const photo of vitrine.photos(me.whose)) {
    if (photo.fileID === null) yield refused(photo, "Its file is in the trash, or belongs to somebody else.");
    else if (photos.has(photo.fileID)) yield refused(photo, "Another photo shows the same file.");
    else photos.set(photo.fileID, photo);
    if (isEdited(photo))
      yield { ...refused(photo, "Its turns and crops are not taken, so it is private here."), kind: "note" };
  }
  const shown = new Map([...photos].map(([fileID, { id, altText }]) => [id, { fileID, altText }]));
  yield* listFiles({ remote, vitrine, me, photos, places, limit });
  for (const photo of photos.values()) yield refused(photo, "Its file belongs to somebody else.");
  yield* listPosts({ url: remote.url, vitrine, whose: me.whose, shown, limit });
}

const refused = ({ id, title }: VitrinePhoto, reason: string): Refused => ({
  kind: "refused",
  key: `photo ${id} (${title})`,
  reason,
});

const isEdited = ({ edits }: VitrinePhoto) => edits !== undefined && edits !== null;

/** Those that contain others come before them. */
async function* listAlbums(
  vitrine: VitrineClient,
  whose: string,
  places: Places,
  limit: Context["limit"],
): AsyncGenerator<Item> {
  const all = new Map<number, VitrineAlbum>();
  // Oldest first: a new album at the top level comes before the others.
  for (const album of (await Array.fromAsync(vitrine.albums(whose))).toReversed()) all.set(album.id, album);
  const done = new Set<number>();
  for (const album of all.values())
    for (const one of withParents(album, all, done)) {
      const key = keyOf("album", one.id);
      const { photoOrder, filter, coverPhotoID } = one;
      const [name, description] = [toLine(one.name, 300) || "Untitled", toText(one.description, 20_000)];
      const parent = one.parentID !== null && all.has(one.parentID) ? keyOf("album", one.parentID) : null;
      const visibility = limit(one.visibility);
      const more = filter ? { filter } : {};
      yield { kind: "album", key, name, description, parent, visibility, photoOrder, ...more };
      if (filter) continue;
      let position = 0;
      for await (const { id } of vitrine.photosOf(one.id)) {
        places.albums.set(id, [...(places.albums.get(id) ?? []), key]);
        places.positions.set(id, { ...places.positions.get(id), [key]: position++ });
      }
      if (coverPhotoID !== null) places.covers.set(coverPhotoID, [...(places.covers.get(coverPhotoID) ?? []), key]);
    }
}

function withParents(album: VitrineAlbum, all: Map<number, VitrineAlbum>, done: Set<number>): VitrineAlbum[] {
  const path: VitrineAlbum[] = [];
  for (let one: VitrineAlbum | undefined = album; one && !done.has(one.id); one = all.get(one.parentID ?? 0)) {
    done.add(one.id);
    path.unshift(one);
  }
  return path;
}

async function* listFiles(context: Context): AsyncGenerator<Item> {
  const { vitrine, me } = context;
  const directories = ["/"];
  const seen = new Set(directories);
  for (let path = directories.pop(); path !== undefined; path = directories.pop()) {
    for await (const file of vitrine.directory(path)) {
      if (file.ownerID !== me.id && !me.isAdmin) continue;
      const whole = [...path.split("/").filter(Boolean), file.name];
      const address = `/${whole.join("/")}`;
      if (!file.isDirectory) yield toFile(file, whole, context);
      else if (!seen.has(address) && whole.length <= deepest) {
        seen.add(address);
        directories.push(address);
        yield { kind: "directory", key: address, path: whole };
      }
    }
  }
}

function toFile(file: VitrineFile, path: string[], { remote, photos, places, limit }: Context): FileItem {
  const { id, size, sha256, updatedAt } = file;
  const photo = photos.get(id);
  photos.delete(id);
  // What was cut off must not be seen by others.
  const isHidden = photo !== undefined && isEdited(photo);
  const visibility = isHidden ? "private" : limit(file.visibility);
  const checksum = sha256 === null ? null : ({ algorithm: "sha256", digest: sha256, encoding: "hex" } as const);
  return {
    kind: "file",
    key: keyOf("file", id),
    path,
    size,
    modifiedAt: Date.parse(updatedAt) || null,
    ...(sha256 !== null && { version: sha256 }),
    open: () => readFile(remote, `/api/v1/files/${id}/content`, size, checksum),
    visibility,
    photo: photo ? toDetails(photo, isHidden ? "private" : limit(photo.visibility)) : null,
    albums: photo ? (places.albums.get(photo.id) ?? []) : [],
    positions: photo ? (places.positions.get(photo.id) ?? {}) : {},
    coverOf: photo ? (places.covers.get(photo.id) ?? []) : [],
  };
}

function toDetails(photo: VitrinePhoto, visibility: Visibility): PhotoDetails {
  const { title, description, altText, tags, isFavourite, takenAt, place, showLocation } = photo;
  const clock = Date.parse(takenAt ?? "");
  const { latitude = null, longitude = null, name = null } = place ?? {};
  return {
    title: toLine(title, longestTitle) || "Untitled",
    description: toText(description, 20_000),
    altText: toText(altText, 2000),
    tags: acceptableTags(tags),
    isFavourite,
    visibility,
    showLocation,
    ...(Number.isFinite(clock) && { clockTaken: clock }),
    ...(latitude !== null && longitude !== null && { place: { latitude, longitude, name } }),
  };
}
