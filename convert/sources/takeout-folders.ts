import { z } from "zod";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import { readJSON, stemOf } from "./files.ts";
import { createCounts, keyOf, listFiles, nameOf, note, refuse, type ReportItem } from "./items.ts";

/** Larger ones are not from Google. */
const longestJSON = 2 ** 20;

const coordinates = z.object({ latitude: z.number(), longitude: z.number() }).catch({ latitude: 0, longitude: 0 });
const photoJSON = z.object({
  title: z.string().catch(""),
  description: z.string().catch(""),
  photoTakenTime: z.object({ timestamp: z.coerce.string().catch("") }),
  /** As the file said when it came to Google Photos. */
  geoDataExif: coordinates.optional(),
  /** As it is shown there, perhaps corrected. */
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

export type PhotoJSON = z.output<typeof photoJSON> & {
  /** The path of the file that says this. */
  key: string;
};
export type Folder = {
  /** Below the folder of Google Photos. */
  path: string[];
  /** Its path in the source. */
  key: string;
  media: TreeFile[];
  /** What Google knows of photos, by the name of the file without ".json". */
  known: Map<string, PhotoJSON>;
  album: z.output<typeof albumJSON> | null;
};
/** A folder as it lies in the source. */
type Listed = Folder & { files: number; lines: ReportItem[] };

/** The folders of Google Photos, and a line for everything beside them that nobody gets. */
export async function findFolders(tree: Tree): Promise<{ folders: Folder[]; lines: ReportItem[] }> {
  const { files, lines } = await listFiles(tree);
  const listed = new Map<string, Listed>();
  for (const file of files) await addFile(listed, file);
  const isPhotos = findPhotos([...listed.values()]);
  const folders = new Map<string, Folder>();
  const others = createCounts();
  for (const folder of listed.values()) {
    const product = isPhotos(folder.path);
    if (product === null) others.add(otherProductOf(folder.path), folder.files);
    else {
      lines.push(...folder.lines);
      merge(folders, { ...folder, path: folder.path.slice(product) });
    }
  }
  for (const [key, count] of others.entries()) {
    const files = count === 1 ? "file does" : "files do";
    lines.push(note(key || "other files", `${count} ${files} not belong to Google Photos.`));
  }
  return { folders: [...folders.values()], lines };
}

async function addFile(folders: Map<string, Listed>, file: TreeFile): Promise<void> {
  const path = file.path.slice(0, -1);
  const key = path.join("/");
  const folder: Listed = folders.get(key) ?? {
    path,
    key,
    files: 0,
    lines: [],
    media: [],
    known: new Map(),
    album: null,
  };
  folders.set(key, folder);
  folder.files++;
  if (nameOf(file).endsWith(".html")) folder.lines.push(note(keyOf(file), "Takeout describes itself in it."));
  else if (!isJSON(file)) folder.media.push(file);
  else
    try {
      const { photo, album } = await readSidecar(file);
      if (photo) folder.known.set(nameOf(file).slice(0, -5).normalize("NFC"), photo);
      else if (album) folder.album ??= album;
      else folder.lines.push(note(keyOf(file), "It describes neither a picture nor an album."));
    } catch (error) {
      folder.lines.push(refuse(keyOf(file), `It is not valid JSON: ${(error as Error).message}`));
    }
}

export const isJSON = (file: TreeFile): boolean => /\.json$/i.test(nameOf(file));

/** What Google says of a photo or an album. */
export async function readSidecar(file: TreeFile): Promise<{ photo?: PhotoJSON; album?: Folder["album"] }> {
  const content = await readJSON(file, longestJSON);
  const photo = photoJSON.safeParse(content).data;
  if (photo) return { photo: { ...photo, key: keyOf(file) } };
  return { album: albumJSON.or(oldAlbumJSON).safeParse(content).data ?? null };
}

/** Parts of an export that were unpacked beside each other have the same folders. */
function merge(folders: Map<string, Folder>, { path, key, media, known, album }: Folder): void {
  const below = path.join("/").normalize("NFC");
  const folder = folders.get(below);
  if (!folder) return void folders.set(below, { path, key, media, known, album });
  folder.media.push(...media);
  for (const [name, photo] of known) folder.known.set(name, photo);
  folder.album ??= album;
}

/** Takeout has a folder for each product, whose name depends on the language. */
const isTakeout = (name: string) => /^takeout/i.test(name);
const isGoogle = (name: string) => /^(google[ -]?\p{L}+|\p{L}+ google)$/iu.test(name.normalize("NFC"));

/** How many names there are in the path of the folder of a product, if it is called like one; otherwise null. */
function findProduct(path: string[]): number | null {
  const exact = path.findIndex((name) => /^takeout$/i.test(name));
  const top = exact < 0 ? path.findIndex(isTakeout) : exact;
  if (top >= 0) return top + 2;
  const own = path.findIndex(isGoogle);
  return own < 0 ? null : own + 1;
}

const otherProductOf = (path: string[]): string =>
  path.slice(0, path.some(isTakeout) ? (findProduct(path) ?? 1) : 1).join("/");

/**
 * Returns what says of a folder how many names of its path are those of Google Photos, or null if it belongs to something else.
 * The folder of Google Photos has one for each year and album, with what Google knows of the pictures in it: in each part of an
 * export it has the same name.
 */
function findPhotos(listed: Listed[]): (path: string[]) => number | null {
  const described = listed
    .filter(({ known, path }) => known.size > 0 || isInPhotosFolder(path))
    .map(({ path }) => path);
  const named = new Set<string>();
  const unnamed: string[][] = [];
  for (const path of described) {
    const product = findProduct(path);
    if (product === null) unnamed.push(path.slice(0, -1));
    else if (path.length <= product + 1) named.add(path[product - 1] ?? "");
  }
  return (path) => {
    const product = findProduct(path);
    if (product !== null) return named.has(path[product - 1] ?? "") ? product : null;
    const above = unnamed.find((root) => root.every((name, index) => path[index] === name));
    return above?.length ?? null;
  };
}

/** How many UTF-16 units of a name Google keeps before the number and the extension of a JSON file. */
const longestName = 46;
const suffix = ".supplemental-metadata";
/** A name that was cut has lost fewer than this many characters. */
const mostLost = 10;

/** `IMG(1).jpg` → `IMG.jpg` and `(1)`. */
function splitNumber(name: string): { base: string; number: string } {
  const [, start, number, end] = /^(.*)(\(\d+\))(\.[^.]*|)$/s.exec(name) ?? [];
  return start && number ? { base: start + (end ?? ""), number } : { base: name, number: "" };
}

/**
 * The names, without ".json", under which Google stores what it knows of a file, the likeliest first. It appends a suffix, cuts
 * the whole, and appends the number that distinguishes files of the same name.
 */
export function jsonNamesOf(media: string): string[] {
  const { base, number } = splitNumber(media);
  const names = [
    `${base}${suffix}`.slice(0, longestName) + number,
    base.slice(0, longestName) + number,
    `${base}${suffix}${number}`,
    `${media}${suffix}`.slice(0, longestName),
    media.slice(0, longestName),
    `${stemOf(base)}${suffix}${number}`,
    stemOf(media),
  ];
  return [...new Set(names)];
}

/** Further names, if Google has cut one shorter than usual. */
export function cutNamesOf(media: string): string[] {
  const { base, number } = splitNumber(media);
  const whole = `${base}${suffix}`;
  const shortest = Math.max(4, base.length - mostLost + 1);
  return Array.from(
    { length: whole.length - shortest + 1 },
    (_, index) => whole.slice(0, whole.length - index) + number,
  );
}

/** Whose edited copy the file may be, by their stems: `IMG-edited.jpg` is one of `IMG`, in whatever language, and cut. */
export function editedStemsOf(media: string): string[] {
  const { base, number } = splitNumber(media);
  const parts = stemOf(base).split("-");
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join("-") + number);
}

/** What Google knows of a photo has this in its name, whole or not much cut. */
const isPhotoJSON = (name: string): boolean => /\.\w{2,5}\.suppl[a-z-]*(\(\d+\))?\.json$/i.test(name);

/** The folder of Google Photos, as it is called in several languages. */
const isPhotosFolder = (name: string): boolean =>
  /^(google (photos|fotos|foto|foto's|fotók|фото|снимки|kuvat|fotoğraflar|フォト|포토|相册|相簿)|fotky google|zdjęcia google)$/i.test(
    name.normalize("NFC"),
  );

/** The folder of a year, which has everything: it is no album. */
export const isYearFolder = (name: string): boolean =>
  /^(photos from|fotos von|photos de|photos du|fotos de|fotos del|foto da|foto del|foto's uit|foto's van|zdjęcia z|fotky z|foton från|bilder fra|bilder från|billeder fra|фото за|снимки от|写真) (18|19|20)\d\d$/i.test(
    name.normalize("NFC"),
  );

/** Whether a folder is `Takeout/Google Photos`, or lies in it, or is one of a year in such a folder. */
const isInPhotosFolder = (path: string[]): boolean =>
  path.some(
    (name, index) =>
      isPhotosFolder(name) && (/^takeout/i.test(path[index - 1] ?? "") || isYearFolder(path[index + 1] ?? "")),
  );

/** Whether the name of a file alone says that it is of Google Photos. */
export const isOfPhotos = (path: string[]): boolean =>
  isPhotoJSON(path.at(-1) ?? "") || isInPhotosFolder(path.slice(0, -1));
