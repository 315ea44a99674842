import { z } from "zod";
import type { Visibility } from "../../src/core/records/visibility.ts";
import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import { parseMoment } from "../../src/platform/images/dates.ts";
import type { Item, PhotoDetails } from "../../src/features/imports/item.ts";
import { toLine, toText } from "../../src/features/imports/texts.ts";
import { toPhotoDetails } from "./details.ts";
import type { SourceKind } from "./kind.ts";
import { plainTextFrom } from "./plain-text.ts";
import { readText } from "./read-text.ts";
import { createUniquePaths } from "./unique-paths.ts";

const [maxPhotoBytes, maxAlbumsBytes] = [2 ** 22, 2 ** 24];
const id = z.coerce.string();
const text = z.string().catch("");

const photoJSON = z.object({
  id,
  name: text,
  description: text,
  date_taken: text,
  date_imported: text,
  privacy: text,
  tags: z.array(z.union([z.string(), z.object({ tag: z.string() }).transform(({ tag }) => tag)]).catch("")).catch([]),
  geo: z.unknown().optional(),
  comments: z.array(z.unknown()).catch([]),
});
const geoJSON = z.object({ latitude: z.coerce.number(), longitude: z.coerce.number() });
const albumJSON = z.object({ id, title: text, description: text, cover_photo: text, photos: z.array(id).catch([]) });
const albumsJSON = z.object({ albums: z.array(z.unknown()) });

type Photo = z.output<typeof photoJSON>;
type Album = z.output<typeof albumJSON>;
type Export = {
  photos: Map<string, Photo>;
  albums: Album[];
  media: TreeFile[];
  /** Other things that Flickr exports. */
  others: string[];
  refused: Map<string, string>;
  /** What is left out by design. */
  notes: Map<string, string>;
};

const nameOf = ({ path }: TreeFile) => path.at(-1) ?? "";
const isPhotoJSON = (name: string) => /^photo_\d+\.json$/i.test(name);
const isAlbums = (name: string) => /^albums(_part\d+)?\.json$/i.test(name);

/** Everything that Flickr has of an account: JSON in some archives, pictures in others. */
export const flickrKind: SourceKind = {
  kind: "flickr",
  title: "Flickr",
  alwaysHasPhotos: true,
  isTelling: (path) => isPhotoJSON(path.at(-1) ?? ""),
  async recognise(files) {
    const some = files.filter((file) => isPhotoJSON(nameOf(file))).slice(0, 20);
    for (const file of some) if ((await readPhoto(file).catch(() => null)) !== null) return true;
    return false;
  },
  open(tree, name, { visibility }) {
    return { kind: "flickr", name, items: () => listItems(tree, visibility) };
  },
};

async function readPhoto(file: TreeFile): Promise<Photo | null> {
  const photo = photoJSON.safeParse(JSON.parse(await readText(file, maxPhotoBytes))).data ?? null;
  return photo && (photo.privacy || photo.date_imported || photo.date_taken) ? photo : null;
}

async function* listItems(tree: Tree, wish: Visibility): AsyncGenerator<Item> {
  const found: Export = { photos: new Map(), albums: [], media: [], others: [], refused: new Map(), notes: new Map() };
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) found.refused.set(entry.path, entry.reason);
    else if ("open" in entry) await addEntry(found, entry);
  }
  const media = found.media.map((file) => ({ file, photo: findPhoto(found.photos, nameOf(file)) }));
  report(found, new Set(media.flatMap(({ photo }) => (photo ? [photo.id] : []))));
  for (const [key, reason] of found.refused) yield { kind: "refused", key, reason };
  for (const [key, reason] of found.notes) yield { kind: "note", key, reason };
  const visibilityOf = (photo: Photo | null | undefined): Visibility =>
    photo?.privacy === "public" ? wish : "private";
  const places = new Map<string, { positions: Record<string, number>; coverOf: string[] }>();
  // At the top, new albums come first.
  for (const album of found.albums.toReversed()) {
    const isPublic = album.photos.some((one) => visibilityOf(found.photos.get(one)) === "public");
    yield {
      kind: "album",
      key: album.id,
      name: toLine(plainTextFrom(album.title)) || `Album ${album.id}`,
      description: toText(plainTextFrom(album.description)),
      parent: null,
      visibility: isPublic ? "public" : "private",
    };
    const cover = album.cover_photo.split("/").findLast(Boolean);
    for (const [position, one] of album.photos.entries()) {
      const place = places.get(one) ?? { positions: {}, coverOf: [] };
      place.positions[album.id] ??= position;
      if (one === cover && place.coverOf.at(-1) !== album.id) place.coverOf.push(album.id);
      places.set(one, place);
    }
  }
  const toUniquePath = createUniquePaths();
  for (const { file, photo } of media) {
    const { size, modifiedAt, open } = file;
    const { positions = {}, coverOf = [] } = (photo && places.get(photo.id)) ?? {};
    const visibility = visibilityOf(photo);
    yield {
      kind: "file",
      key: file.path.join("/"),
      path: toUniquePath([nameOf(file)]),
      size,
      modifiedAt,
      open,
      visibility,
      photo: { ...(photo && toDetails(photo)), visibility },
      albums: Object.keys(positions),
      positions,
      coverOf,
    };
  }
}

async function addEntry(found: Export, file: TreeFile): Promise<void> {
  const name = nameOf(file);
  if (!name.toLowerCase().endsWith(".json")) return void found.media.push(file);
  try {
    if (isPhotoJSON(name)) {
      const photo = await readPhoto(file);
      if (photo) found.photos.set(photo.id, photo);
      else found.refused.set(file.path.join("/"), "It has not the form in which Flickr describes a photo.");
    } else if (isAlbums(name)) {
      const { albums } = albumsJSON.parse(JSON.parse(await readText(file, maxAlbumsBytes)));
      const usable = albums.flatMap((album) => albumJSON.safeParse(album).data ?? []);
      found.albums.push(...usable);
      const lost = albums.length - usable.length;
      const reason = `${lost} of its albums ${lost === 1 ? "has" : "have"} not the form that Flickr writes.`;
      if (lost > 0) found.refused.set(file.path.join("/"), reason);
    } else found.others.push(name);
  } catch (error) {
    found.refused.set(file.path.join("/"), `It cannot be read: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Says in a line each what is missing, and what is not taken. */
function report({ photos, others, refused, notes }: Export, withPicture: Set<string>): void {
  const missing = photos.size - withPicture.size;
  if (missing > 0)
    refused.set(
      "pictures",
      `${missing} of ${photos.size} photos have no picture here: give all archives of the export to one command.`,
    );
  const comments = [...photos.values()].reduce((sum, photo) => sum + photo.comments.length, 0);
  if (comments > 0) notes.set("comments", `${comments} comments are not taken: their authors have no accounts here.`);
  if (others.length > 0)
    notes.set("others", `${others.length} files about other things are not taken: ${nameSome(others)}.`);
}

const nameSome = (names: string[]) => `${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""}`;

/** The name of a picture begins or ends with the number of its photo; its title may have others. */
function findPhoto(photos: Map<string, Photo>, name: string): Photo | null {
  const numbers = name.match(/(?<!\d)\d{5,12}(?!\d)/g) ?? [];
  for (const number of numbers.toReversed()) {
    const photo = photos.get(number);
    if (photo) return photo;
  }
  return null;
}

function toDetails({ name, description, tags, date_taken, date_imported, geo }: Photo): PhotoDetails {
  const taken = parseMoment(date_taken);
  const imported = parseMoment(date_imported);
  return {
    ...toPhotoDetails({
      title: plainTextFrom(name),
      description: plainTextFrom(description),
      tags,
      place: toPlace(geo),
    }),
    ...(taken !== null && { clockTaken: taken }),
    ...(taken === null && imported !== null && { momentTaken: imported, isTimeRough: true }),
  };
}

/** An object, or a list with one or none. Some exports have millionths of degrees. */
function toPlace(geo: unknown): { latitude: number; longitude: number } | null {
  const place = geoJSON.safeParse(Array.isArray(geo) ? geo[0] : geo).data;
  if (!place) return null;
  const isMillionths = Math.abs(place.latitude) > 90 || Math.abs(place.longitude) > 180;
  const scale = isMillionths ? 1e6 : 1;
  return { latitude: place.latitude / scale, longitude: place.longitude / scale };
}
