import { z } from "zod";
import type { TreeFile } from "../../src/platform/archives/tree.ts";
import { createUniquePaths, readJSON, usableIn } from "./files.ts";
import {
  type Item,
  keyOf,
  listFiles,
  nameOf,
  note,
  type PhotoDetails,
  placeOf,
  publicIf,
  refuse,
  toFile,
} from "./items.ts";
import type { SourceKind } from "./kind.ts";
import { plainTextFrom, readTime } from "./texts.ts";

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

const isPhotoJSON = (file: Pick<TreeFile, "path">) => /^photo_\d+\.json$/i.test(nameOf(file));
const isAlbums = (file: TreeFile) => /^albums(_part\d+)?\.json$/i.test(nameOf(file));

/** Everything that Flickr has of an account: JSON in some archives, pictures in others. */
export const flickrKind: SourceKind = {
  kind: "flickr",
  title: "Flickr",
  alwaysHasPhotos: true,
  isTelling: (path) => isPhotoJSON({ path }),
  async recognise(files) {
    for (const file of files.filter(isPhotoJSON).slice(0, 20))
      if ((await readPhoto(file).catch(() => null)) !== null) return true;
    return false;
  },
  async *list(tree): AsyncGenerator<Item> {
    const { files, lines } = await listFiles(tree);
    const { photos, albums, media, ...found } = await readExport(files);
    const pictures = media.map((file) => ({ file, photo: findPhoto(photos, nameOf(file)) }));
    yield* lines;
    yield* found.lines;
    yield* linesOf(photos, found.others, new Set(pictures.map(({ photo }) => photo)));
    const isPublic = (photo: Photo | null | undefined) => photo?.privacy === "public";
    const places = new Map<string, { positions: Record<string, number>; coverOf: string[] }>();
    // At the top, new albums come first.
    for (const { id: key, ...album } of albums.toReversed()) {
      yield {
        kind: "album",
        key,
        name: plainTextFrom(album.title) || `Album ${key}`,
        description: plainTextFrom(album.description),
        visibility: publicIf(album.photos.some((one) => isPublic(photos.get(one)))),
      };
      const cover = album.cover_photo.split("/").findLast(Boolean);
      for (const [position, one] of album.photos.entries()) {
        const place = places.get(one) ?? { positions: {}, coverOf: [] };
        place.positions[key] ??= position;
        if (one === cover && place.coverOf.at(-1) !== key) place.coverOf.push(key);
        places.set(one, place);
      }
    }
    const toUniquePath = createUniquePaths();
    for (const { file, photo } of pictures) {
      const { positions = {}, coverOf = [] } = places.get(photo?.id ?? "") ?? {};
      yield toFile(file, {
        path: toUniquePath([nameOf(file)]),
        isPublic: isPublic(photo),
        photo: photo ? toDetails(photo) : {},
        positions,
        coverOf,
      });
    }
  },
};

async function readPhoto(file: TreeFile): Promise<Photo | null> {
  const photo = photoJSON.safeParse(await readJSON(file, maxPhotoBytes)).data ?? null;
  return photo && (photo.privacy || photo.date_imported || photo.date_taken) ? photo : null;
}

async function readExport(files: TreeFile[]) {
  const photos = new Map<string, Photo>();
  const albums: z.output<typeof albumJSON>[] = [];
  const lines: Item[] = [];
  const isJSON = (file: TreeFile) => /\.json$/i.test(nameOf(file));
  for (const file of files.filter(isJSON))
    try {
      if (isPhotoJSON(file)) {
        const photo = await readPhoto(file);
        if (photo) photos.set(photo.id, photo);
        else lines.push(refuse(keyOf(file), "It has not the form in which Flickr describes a photo."));
      } else if (isAlbums(file)) {
        const all = albumsJSON.parse(await readJSON(file, maxAlbumsBytes)).albums;
        const usable = usableIn(albumJSON).parse(all);
        albums.push(...usable);
        const lost = all.length - usable.length;
        const reason = `${lost} of its albums ${lost === 1 ? "has" : "have"} not the form that Flickr writes.`;
        if (lost > 0) lines.push(refuse(keyOf(file), reason));
      }
    } catch (error) {
      lines.push(refuse(keyOf(file), `It cannot be read: ${(error as Error).message.slice(0, 200)}`));
    }
  const others = files.filter((file) => isJSON(file) && !isPhotoJSON(file) && !isAlbums(file)).map(nameOf);
  return { photos, albums, media: files.filter((file) => !isJSON(file)), others, lines };
}

/** What is missing, and what is not taken, in a line each. */
function* linesOf(photos: Map<string, Photo>, others: string[], shown: Set<Photo | null>): Generator<Item> {
  const missing = [...photos.values()].filter((photo) => !shown.has(photo)).length;
  if (missing > 0)
    yield refuse(
      "pictures",
      `${missing} of ${photos.size} photos have no picture here: give all archives of the export to one command.`,
    );
  const comments = [...photos.values()].reduce((sum, photo) => sum + photo.comments.length, 0);
  if (comments > 0) yield note("comments", `${comments} comments are not taken: their authors have no accounts here.`);
  const some = `${others.slice(0, 5).join(", ")}${others.length > 5 ? " and others" : ""}`;
  if (others.length > 0) yield note("others", `${others.length} files about other things are not taken: ${some}.`);
}

/** The name of a picture begins or ends with the number of its photo; its title may have others. */
function findPhoto(photos: Map<string, Photo>, name: string): Photo | null {
  const numbers = name.match(/(?<!\d)\d{5,12}(?!\d)/g) ?? [];
  return numbers.map((number) => photos.get(number)).findLast(Boolean) ?? null;
}

function toDetails({ name, description, tags, date_taken, date_imported, geo }: Photo): PhotoDetails {
  const [taken, imported] = [readTime(date_taken), readTime(date_imported)];
  // An object, or a list with one or none. Some exports have millionths of degrees.
  const { latitude = 0, longitude = 0 } = geoJSON.safeParse(Array.isArray(geo) ? geo[0] : geo).data ?? {};
  const scale = Math.abs(latitude) > 90 || Math.abs(longitude) > 180 ? 1e6 : 1;
  return {
    title: plainTextFrom(name),
    description: plainTextFrom(description),
    tags,
    ...placeOf(latitude / scale, longitude / scale),
    ...(taken !== null && { clockTaken: taken }),
    ...(taken === null && imported !== null && { momentTaken: imported, isTimeRough: true }),
  };
}
