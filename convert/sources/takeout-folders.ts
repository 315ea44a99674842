import { z } from "zod";
import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import type { Item } from "../../src/features/imports/item.ts";
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
type Line = Extract<Item, { kind: "refused" | "note" }>;
/** A folder as it lies in the source. */
type Listed = { path: string[]; files: number; lines: Line[] } & Omit<Folder, "path">;

/** The folders of Google Photos, and a line for everything beside them that nobody gets. */
export async function findFolders(tree: Tree): Promise<{ folders: Folder[]; lines: Line[] }> {
  const lines: Line[] = [];
  const listed = new Map<string, Listed>();
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) lines.push({ kind: "refused", key: entry.path, reason: entry.reason });
    else if (!("isDirectory" in entry)) await addEntry(listed, entry);
  }
  const isPhotos = findPhotos([...listed.values()]);
  const folders = new Map<string, Folder>();
  const others = new Map<string, number>();
  for (const folder of listed.values()) {
    const product = isPhotos(folder.path);
    if (product !== null) {
      lines.push(...folder.lines);
      merge(folders, { ...folder, path: folder.path.slice(product) });
    } else {
      const key = otherProductOf(folder.path);
      others.set(key, (others.get(key) ?? 0) + folder.files);
    }
  }
  for (const [key, count] of others)
    lines.push({
      kind: "note",
      key: key || "other files",
      reason: `${count} ${count === 1 ? "file does" : "files do"} not belong to Google Photos.`,
    });
  return { folders: [...folders.values()], lines };
}

async function addEntry(folders: Map<string, Listed>, entry: TreeFile): Promise<void> {
  const path = entry.path.slice(0, -1);
  const key = path.join("/");
  const name = entry.path.at(-1) ?? "";
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
  const add = (kind: "note" | "refused", reason: string) =>
    folder.lines.push({ kind, key: entry.path.join("/"), reason });
  if (name.endsWith(".html")) add("note", "Takeout describes itself in it.");
  else if (!isJSON(entry)) folder.media.push(entry);
  else
    try {
      const { photo, album } = await readJSON(entry);
      if (photo) folder.known.set(name.slice(0, -5).normalize("NFC"), photo);
      else if (album) folder.album ??= album;
      else add("note", "It describes neither a picture nor an album.");
    } catch (error) {
      add("refused", `It is not valid JSON: ${(error as Error).message}`);
    }
}

export const isJSON = ({ path }: TreeFile): boolean => /\.json$/i.test(path.at(-1) ?? "");

export async function readJSON(entry: TreeFile): Promise<{ photo: PhotoJSON | null; album: Folder["album"] }> {
  if (entry.size > longestJSON) throw new Error("it is too long.");
  const text = Buffer.concat(await Array.fromAsync(entry.open())).toString();
  const content: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  const photo = photoJSON.safeParse(content).data;
  if (photo) return { photo: { ...photo, key: entry.path.join("/") }, album: null };
  return { photo: null, album: albumJSON.or(oldAlbumJSON).safeParse(content).data ?? null };
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
