import type { SourceOptions } from "../format/job.ts";
import type { TreeFile } from "../../src/platform/archives/tree.ts";
import { isMoving, isStill, stemOf } from "./files.ts";
import { type Item, keyOf, nameOf, note, type PhotoDetails, placeOf, publicIf, refuse, toFile } from "./items.ts";
import type { SourceKind } from "./kind.ts";
import {
  cutNamesOf,
  editedStemsOf,
  findFolders,
  type Folder,
  isJSON,
  isOfPhotos,
  isYearFolder,
  jsonNamesOf,
  type PhotoJSON,
  readSidecar,
} from "./takeout-folders.ts";
import { clockAt } from "./texts.ts";

/** An export of Google Photos, whose parts may lie in several archives, in any order. */
export const takeoutKind: SourceKind = {
  kind: "takeout",
  title: "Google Photos",
  alwaysHasPhotos: true,
  isTelling: isOfPhotos,
  recognise: isTakeout,
  async *list(tree, options): AsyncGenerator<Item> {
    const { folders, lines } = await findFolders(tree);
    yield* lines;
    for (const folder of folders) yield* albumOf(folder);
    const known = folders.flatMap((folder) => [...folder.known.values()]);
    const byTitle = Map.groupBy(known, ({ title }) => title);
    const context: Context = {
      options,
      findByTitle: (name) => (byTitle.get(name)?.length === 1 ? byTitle.get(name)?.[0] : undefined),
      used: new Set(),
    };
    for (const folder of folders) yield* filesOf(folder, context);
    for (const photo of known)
      if (!context.used.has(photo)) yield photo.trashed ? note(photo.key, inTrash) : refuse(photo.key, isMissing);
  },
};

const jsonsRead = 200;
/** What Google writes of a picture is called like that: `IMG_1.jpg.supplemental-metadata.json`. */
const isNamedForMedia = (file: TreeFile) => /\.\w{2,4}(\.s[a-z-]*)?(\(\d+\))?\.json$/i.test(nameOf(file));

/** By the names that only Google Photos gives; or else it has what Google knows of a photo. */
async function isTakeout(files: TreeFile[]): Promise<boolean> {
  if (files.some(({ path }) => isOfPhotos(path))) return true;
  const texts = files.filter(isJSON);
  const likely = [...texts.filter(isNamedForMedia).slice(0, jsonsRead / 2), ...texts.slice(0, jsonsRead / 2)];
  for (const file of likely) if ((await readSidecar(file).catch(() => null))?.photo) return true;
  return false;
}

const inTrash = "It is in the trash of Google Photos.";
const isMissing = "The picture that it describes is not in this export: is a part of it missing?";

const isAlbum = ({ path, album }: Folder) => album !== null && !isYearFolder(path.at(-1) ?? "");

function* albumOf(folder: Folder): Generator<Item> {
  const { path, key, album, media } = folder;
  if (!album || !isAlbum(folder)) return;
  const name = album.title.trim() || (path.at(-1) ?? "");
  if (media.length === 0) yield note(key, `The album ${name} has no pictures in this export.`);
  else yield { kind: "album", key, name, description: album.description, visibility: publicIf(true) };
}

type Context = {
  options: SourceOptions;
  /** What Google knows of a photo, by a title that only one has. */
  findByTitle(title: string): PhotoJSON | undefined;
  /** Those of which a file was found. */
  used: Set<PhotoJSON>;
};

function* filesOf(folder: Folder, { options, findByTitle, used }: Context): Generator<Item> {
  const findAny = (names: string[]) => names.map((name) => folder.known.get(name)).find(Boolean);
  const found = folder.media.map((file) => {
    const name = nameOf(file).normalize("NFC");
    return { file, name, photo: findAny(jsonNamesOf(name)) };
  });
  const described = new Map(found.filter(({ photo }) => photo).map((one) => [stemOf(one.name), one]));
  const stills = new Set(found.filter(({ name }) => isStill(name)).flatMap(({ name }) => [name, stemOf(name)]));
  const originals = new Map(
    found.flatMap(({ name, photo }) => {
      const original = photo ? undefined : editedStemsOf(name).flatMap((stem) => described.get(stem) ?? [])[0];
      return original ? [[name, original] as const] : [];
    }),
  );
  const edited = new Set([...originals.values()].map(({ name }) => name));
  for (const { file, name, photo: direct } of found) {
    const photo = direct ?? originals.get(name)?.photo ?? findAny(cutNamesOf(name)) ?? findByTitle(name);
    if (photo) used.add(photo);
    // Of an edited photo, the edited picture is shown; of a moving one, the still.
    const isPart = edited.has(name) || (!direct && isMoving(name) && (stills.has(stemOf(name)) || stills.has(name)));
    if (photo?.trashed) yield note(keyOf(file), inTrash);
    else
      yield toFile(file, {
        path: [...folder.path, nameOf(file)],
        isPublic: !photo?.archived,
        photo: isPart ? null : toDetails(photo, options),
        albums: !isPart && isAlbum(folder) ? [folder.key] : [],
      });
  }
}

function toDetails(photo: PhotoJSON | undefined, { hasPeople }: SourceOptions): PhotoDetails {
  if (!photo) return {};
  const moment = Number(photo.photoTakenTime.timestamp || "0") * 1000;
  const hasTime = moment !== 0 && Number.isFinite(moment);
  const { place } =
    [photo.geoData, photo.geoDataExif]
      .map((one) => placeOf(one?.latitude, one?.longitude))
      .find((one) => one.place !== undefined) ?? {};
  return {
    description: photo.description,
    tags: hasPeople ? (photo.people ?? []).map(({ name }) => name) : [],
    ...(place && { place }),
    isFavourite: photo.favorited ?? false,
    ...(hasTime && { momentTaken: moment }),
    ...(hasTime && place && { clockTaken: clockAt(place, moment) }),
  };
}
