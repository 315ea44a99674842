import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import type { AlbumItem, Item, PhotoDetails } from "../../src/features/imports/item.ts";
import type { SourceKind, SourceWish } from "./kind.ts";
import { toPhotoDetails } from "./details.ts";
import { isMoving, isStill, stemOf } from "./parts.ts";
import { clockAt } from "./place-clock.ts";
import { findFolders, type Folder, isJSON, type PhotoJSON, readJSON } from "./takeout-folders.ts";
import { cutNamesOf, editedStemsOf, isOfPhotos, isYearFolder, jsonNamesOf } from "./takeout-names.ts";

type Wish = Pick<SourceWish, "hasPeople" | "visibility">;

/** An export of Google Photos, whose parts may lie in several archives, in any order. */
export const takeoutKind: SourceKind = {
  kind: "takeout",
  title: "Google Photos",
  alwaysHasPhotos: true,
  isTelling: (path) => isOfPhotos(path),
  recognise: isTakeout,
  open: (tree, name, wish) => ({ kind: "takeout", name, items: () => listItems(tree, wish) }),
};

const jsonsRead = 200;
/** What Google writes of a picture is called like that: `IMG_1.jpg.supplemental-metadata.json`. */
const isNamedForMedia = ({ path }: TreeFile) => /\.\w{2,4}(\.s[a-z-]*)?(\(\d+\))?\.json$/i.test(path.at(-1) ?? "");

/** By the names that only Google Photos gives; or else it has what Google knows of a photo. */
async function isTakeout(files: TreeFile[]): Promise<boolean> {
  if (files.some(({ path }) => isOfPhotos(path))) return true;
  const texts = files.filter(isJSON);
  const likely = [...texts.filter(isNamedForMedia).slice(0, jsonsRead / 2), ...texts.slice(0, jsonsRead / 2)];
  for (const file of likely) {
    const { photo } = await readJSON(file).catch(() => ({ photo: null }));
    if (photo) return true;
  }
  return false;
}

async function* listItems(tree: Tree, wish: Wish): AsyncGenerator<Item> {
  const { folders, lines } = await findFolders(tree);
  yield* lines;
  for (const folder of folders) yield* albumOf(folder, wish);
  const titles = countTitles(folders);
  const used = new Set<PhotoJSON>();
  for (const folder of folders) yield* filesOf(folder, { wish, titles, used });
  for (const { known } of folders)
    for (const photo of known.values())
      if (!used.has(photo))
        yield photo.trashed
          ? { kind: "note", key: photo.key, reason: inTrash }
          : { kind: "refused", key: photo.key, reason: isMissing };
}

const inTrash = "It is in the trash of Google Photos.";
const isMissing = "The picture that it describes is not in this export: is a part of it missing?";

function* albumOf({ path, key, album, media }: Folder, { visibility }: Wish): Generator<Item> {
  const folder = path.at(-1) ?? "";
  if (!album || isYearFolder(folder)) return;
  const name = (album.title.trim() || folder).slice(0, 200);
  if (media.length > 0)
    yield { kind: "album", key, name, description: album.description, parent: null, visibility } satisfies AlbumItem;
  else yield { kind: "note", key, reason: `The album ${name} has no pictures in this export.` };
}

function countTitles(folders: Folder[]): Map<string, PhotoJSON | null> {
  const titles = new Map<string, PhotoJSON | null>();
  for (const { known } of folders)
    for (const photo of known.values()) titles.set(photo.title, titles.has(photo.title) ? null : photo);
  return titles;
}

type Context = {
  wish: Wish;
  /** What Google knows of photos, by titles that only one has. */
  titles: Map<string, PhotoJSON | null>;
  /** Those of which a file was found. */
  used: Set<PhotoJSON>;
};

function* filesOf(folder: Folder, { wish, titles, used }: Context): Generator<Item> {
  const isInAlbum = folder.album !== null && !isYearFolder(folder.path.at(-1) ?? "");
  const albums = isInAlbum ? [folder.key] : [];
  const found = folder.media.map((file) => {
    const name = (file.path.at(-1) ?? "").normalize("NFC");
    return { file, name, photo: findAny(folder, jsonNamesOf(name)) };
  });
  const described = new Map(found.flatMap((one) => (one.photo ? [[stemOf(one.name), one] as const] : [])));
  const stills = new Set(found.filter(({ name }) => isStill(name)).flatMap(({ name }) => [name, stemOf(name)]));
  const originals = new Map<string, (typeof found)[number]>();
  for (const one of found) {
    if (one.photo) continue;
    const original = editedStemsOf(one.name).flatMap((stem) => described.get(stem) ?? [])[0];
    if (original) originals.set(one.name, original);
  }
  const edited = new Set([...originals.values()].map(({ name }) => name));
  for (const { file, name, photo: direct } of found) {
    const photo = direct ?? originals.get(name)?.photo ?? findAny(folder, cutNamesOf(name)) ?? titles.get(name) ?? null;
    if (photo) used.add(photo);
    const { size, modifiedAt, open } = file;
    const key = file.path.join("/");
    // Of an edited photo, the edited picture is shown; of a moving one, the still.
    const isPart = edited.has(name) || (!direct && isMoving(name) && (stills.has(stemOf(name)) || stills.has(name)));
    const details = isPart ? null : toDetails(photo, wish);
    if (photo?.trashed) yield { kind: "note", key, reason: inTrash };
    else
      yield {
        kind: "file",
        key,
        path: [...folder.path, file.path.at(-1) ?? ""],
        size,
        modifiedAt,
        open,
        visibility: photo?.archived ? "private" : wish.visibility,
        photo: details,
        albums: isPart ? [] : albums,
      };
  }
}

function findAny({ known }: Folder, names: string[]): PhotoJSON | null {
  for (const name of names) {
    const photo = known.get(name);
    if (photo) return photo;
  }
  return null;
}

function toDetails(photo: PhotoJSON | null, { hasPeople, visibility }: Wish): PhotoDetails {
  if (!photo) return { visibility };
  const seconds = Number(photo.photoTakenTime.timestamp || "0");
  const people = hasPeople ? (photo.people ?? []).map(({ name }) => name) : [];
  const place = [photo.geoData, photo.geoDataExif].find((one) => one && (one.latitude !== 0 || one.longitude !== 0));
  const moment = seconds !== 0 && Number.isFinite(seconds) ? seconds * 1000 : null;
  return {
    ...toPhotoDetails({ description: photo.description, tags: people, place }),
    isFavourite: photo.favorited ?? false,
    visibility: photo.archived ? "private" : visibility,
    ...(moment !== null && { momentTaken: moment }),
    ...(moment !== null && place && { clockTaken: clockAt(place, moment) }),
  };
}
