import { z } from "zod";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import { readJSON } from "./files.ts";
import { createCounts, keyOf, listFiles, nameOf, note, refuse, type ReportItem } from "./items.ts";
import { isInPhotosFolder } from "./takeout-names.ts";

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
