import { z } from "zod";
import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import type { AlbumItem, Item, PhotoDetails } from "../../src/features/imports/item.ts";
import type { SourceKind, SourceWish } from "./kind.ts";
import { toPhotoDetails } from "./details.ts";
import { isMoving, isStill, stemOf } from "./parts.ts";
import { clockAt } from "./place-clock.ts";
import { cutNamesOf, editedStemsOf, isYearFolder, jsonNamesOf } from "./takeout-names.ts";

/** Larger ones are not from Google. */
const longestJSON = 2 ** 20;

const coordinates = z.object({ latitude: z.number(), longitude: z.number() }).catch({ latitude: 0, longitude: 0 });
const photoJSON = z.object({
  title: z.string().catch(""),
  description: z.string().catch(""),
  photoTakenTime: z.object({ timestamp: z.coerce.string().catch("") }),
  geoDataExif: coordinates.optional(),
  geoData: coordinates.optional(),
  favorited: z.boolean().catch(false).optional(),
  archived: z.boolean().catch(false).optional(),
  trashed: z.boolean().catch(false).optional(),
  people: z
    .array(z.object({ name: z.string() }))
    .catch([])
    .optional(),
});
const albumJSON = z.object({ title: z.string(), description: z.string().catch("") });
const oldAlbumJSON = z.object({ albumData: albumJSON }).transform(({ albumData }) => albumData);

type PhotoJSON = z.output<typeof photoJSON>;
type Folder = {
  path: string[];
  media: TreeFile[];
  /** What Google knows of photos, by the name of the file without ".json". */
  known: Map<string, PhotoJSON>;
  album: z.output<typeof albumJSON> | null;
};
type Wish = Pick<SourceWish, "hasPeople" | "visibility">;

/** An export of Google Photos, whose parts may lie in several archives, in any order. */
export const takeoutKind: SourceKind = {
  kind: "takeout",
  title: "Google Photos",
  alwaysHasPhotos: true,
  recognise: isTakeout,
  open: (tree, name, wish) => ({ kind: "takeout", name, items: () => listItems(tree, wish) }),
};

/** It has what Google knows of a photo. */
async function isTakeout(files: TreeFile[]): Promise<boolean> {
  const texts = files.filter(({ path }) => path.at(-1)?.endsWith(".json")).slice(0, 200);
  for (const file of texts) {
    const { photo } = await readJSON(file).catch(() => ({ photo: null }));
    if (photo) return true;
  }
  return false;
}

async function* listItems(tree: Tree, wish: Wish): AsyncGenerator<Item> {
  const folders = new Map<string, Folder>();
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) yield { kind: "refused", key: entry.path, reason: entry.reason };
    else if (!("isDirectory" in entry)) {
      const reason = await addEntry(folders, entry);
      if (reason) yield { kind: "refused", key: entry.path.join("/"), reason };
    }
  }
  const products = new Set(
    [...folders.values()].flatMap((folder) => (folder.known.size > 0 ? [productOf(folder)] : [])),
  );
  const [photos, others] = partition([...folders.values()], (folder) => products.has(productOf(folder)));
  for (const product of new Set(others.map(productOf)))
    if (product !== "") yield { kind: "note", key: product, reason: "It does not belong to Google Photos." };
  for (const folder of photos) yield* albumOf(folder, wish);
  const titles = countTitles(folders);
  for (const folder of photos) yield* filesOf(folder, wish, titles);
}

/** Returns a reason if it cannot be read. */
async function addEntry(folders: Map<string, Folder>, entry: TreeFile): Promise<string | null> {
  const above = entry.path.slice(0, -1);
  const name = entry.path.at(-1) ?? "";
  const key = above.join("/").normalize("NFC");
  const folder: Folder = folders.get(key) ?? { path: above, media: [], known: new Map(), album: null };
  folders.set(key, folder);
  if (!name.toLowerCase().endsWith(".json")) {
    // Takeout describes itself in a page at its top.
    if (!name.endsWith(".html")) folder.media.push(entry);
    return null;
  }
  try {
    const { photo, album } = await readJSON(entry);
    if (photo) folder.known.set(name.slice(0, -5).normalize("NFC"), photo);
    else folder.album ??= album;
    return null;
  } catch (error) {
    return `It is not valid JSON: ${(error as Error).message}`;
  }
}

async function readJSON(entry: TreeFile): Promise<{ photo: PhotoJSON | null; album: Folder["album"] }> {
  if (entry.size > longestJSON) throw new Error("it is too long.");
  const text = Buffer.concat(await Array.fromAsync(entry.open())).toString();
  const content: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  const photo = photoJSON.safeParse(content).data ?? null;
  return { photo, album: photo ? null : (albumJSON.or(oldAlbumJSON).safeParse(content).data ?? null) };
}

function* albumOf({ path, album, media }: Folder, { visibility }: Wish): Generator<AlbumItem> {
  const folder = path.at(-1) ?? "";
  if (!album || media.length === 0 || isYearFolder(folder)) return;
  const name = (album.title.trim() || folder).slice(0, 200);
  yield { kind: "album", key: path.join("/"), name, description: album.description, parent: null, visibility };
}

function countTitles(folders: Map<string, Folder>): Map<string, PhotoJSON | null> {
  const titles = new Map<string, PhotoJSON | null>();
  for (const { known } of folders.values())
    for (const photo of known.values()) titles.set(photo.title, titles.has(photo.title) ? null : photo);
  return titles;
}

function* filesOf(folder: Folder, wish: Wish, titles: Map<string, PhotoJSON | null>): Generator<Item> {
  const isInAlbum = folder.album !== null && !isYearFolder(folder.path.at(-1) ?? "");
  const albums = isInAlbum ? [folder.path.join("/")] : [];
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
    const { path, size, modifiedAt, open } = file;
    const key = path.join("/");
    // Of an edited photo, the edited picture is shown; of a moving one, the still.
    const isPart = edited.has(name) || (!direct && isMoving(name) && (stills.has(stemOf(name)) || stills.has(name)));
    const details = isPart ? null : toDetails(photo, wish);
    if (photo?.trashed) yield { kind: "note", key, reason: "It is in the trash of Google Photos." };
    else
      yield {
        kind: "file",
        key,
        path: withoutTop(path),
        size,
        modifiedAt,
        open,
        visibility: photo?.archived ? "private" : wish.visibility,
        photo: details,
        albums: isPart ? [] : albums,
      };
  }
}

/** Takeout has a folder for each product, whose name depends on the language. */
const hasTop = (path: string[]) => /^takeout/i.test(path[0] ?? "");
const productOf = ({ path }: Folder) => (hasTop(path) ? path.slice(0, 2).join("/") : "");
const withoutTop = (path: string[]) => (hasTop(path) && path.length > 2 ? path.slice(2) : path);

function partition<One>(all: One[], test: (one: One) => boolean): [One[], One[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
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
  const place = [photo.geoDataExif, photo.geoData].find((one) => one && (one.latitude !== 0 || one.longitude !== 0));
  const moment = seconds !== 0 && Number.isFinite(seconds) ? seconds * 1000 : null;
  return {
    ...toPhotoDetails({ description: photo.description, tags: people, place }),
    isFavourite: photo.favorited ?? false,
    visibility: photo.archived ? "private" : visibility,
    ...(moment !== null && { momentTaken: moment }),
    ...(moment !== null && place && { clockTaken: clockAt(place, moment) }),
  };
}
