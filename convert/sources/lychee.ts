import { deepestAlbum } from "../../src/content/albums/album.ts";
import { fileNameFrom } from "../../src/content/files/names.ts";
import type { Visibility } from "../../src/core/records/visibility.ts";
import { openSqliteCopy } from "../../src/platform/archives/sqlite-copy.ts";
import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import { naturalOrderKey } from "../../src/platform/text.ts";
import type { AlbumItem, FileItem, Item, PhotoDetails } from "../../src/features/imports/item.ts";
import { toLine, toText } from "../../src/features/imports/texts.ts";
import { toPhotoDetails } from "./details.ts";
import type { SourceKind } from "./kind.ts";
import { type Lychee, type LycheeAlbum, type LycheePhoto, readLychee, textOf } from "./lychee-database.ts";
import { stemOf } from "./parts.ts";
import { clockIn } from "../../src/platform/zone-clock.ts";
import { readHead } from "./read-text.ts";
import { createUniquePaths } from "./unique-paths.ts";

const headBytes = 2 ** 22;
const nameOf = ({ path }: TreeFile) => path.at(-1) ?? "";
const isDatabase = (name: string) => /\.(sqlite3?|db)$/i.test(name);
const isDump = (name: string) => /\.sql$/i.test(name);

/** The folder of Lychee, with its pictures in `uploads` and its SQLite database. */
export const lycheeKind: SourceKind = {
  kind: "lychee",
  title: "Lychee",
  alwaysHasPhotos: true,
  isTelling: (path) => isDatabase(path.at(-1) ?? "") || isDump(path.at(-1) ?? ""),
  async recognise(files) {
    if (!files.some(({ path }) => path.includes("uploads"))) return false;
    for (const file of files.filter((one) => isDatabase(nameOf(one)) || isDump(nameOf(one))).slice(0, 20))
      if (await isOfLychee(file)) return true;
    return false;
  },
  open(tree, name, { visibility }) {
    return { kind: "lychee", name, items: () => listItems(tree, visibility) };
  },
};

/** Its first pages name the tables. */
async function isOfLychee(file: TreeFile): Promise<boolean> {
  const head = await readHead(file, headBytes).catch(() => Buffer.alloc(0));
  return head.includes("size_variants") && head.includes("base_albums");
}

type Found = {
  uploads: Map<string, TreeFile>;
  databases: TreeFile[];
  journals: TreeFile[];
  dumps: TreeFile[];
  /** How many files of Lychee itself lie beside them. */
  others: number;
};

async function* listItems(tree: Tree, wish: Visibility): AsyncGenerator<Item> {
  const found: Found = { uploads: new Map(), databases: [], journals: [], dumps: [], others: 0 };
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) yield { kind: "refused", key: entry.path, reason: entry.reason };
    else if ("open" in entry) await addEntry(found, entry);
  }
  const [database, ...others] = found.databases;
  for (const other of others)
    yield {
      kind: "refused",
      key: other.path.join("/"),
      reason: "It is a second database of Lychee: import one at a time.",
    };
  if (!database) {
    const key = found.dumps[0]?.path.join("/") ?? "database";
    const reason =
      "A dump of MySQL or PostgreSQL cannot be read: convert it to SQLite, and put the file database.sqlite beside uploads.";
    return yield { kind: "refused", key, reason };
  }
  const wal = found.journals.find(({ path }) => path.join("/") === `${database.path.join("/")}-wal`);
  let lychee: Lychee;
  try {
    await using db = await openSqliteCopy(database, wal);
    lychee = await readLychee(db);
  } catch (error) {
    const reason = `The database cannot be read: ${(error as Error).message}`;
    return yield { kind: "refused", key: database.path.join("/"), reason };
  }
  const taken = new Set<string>();
  for (const item of itemsOf(lychee, found.uploads, wish)) {
    if (item.kind === "file") taken.add(item.key);
    yield item;
  }
  const left = [...found.uploads.keys()].filter((key) => !taken.has(key));
  if (left.length > 0)
    yield {
      kind: "note",
      key: "uploads",
      reason: `${left.length} files that no photo needs are not taken, such as the smaller pictures of Lychee: ${left[0]}.`,
    };
  const ofLychee = found.others + found.dumps.length;
  if (ofLychee > 0) yield { kind: "note", key: "other files", reason: `${ofLychee} of Lychee itself are not taken.` };
}

async function addEntry(found: Found, file: TreeFile): Promise<void> {
  const name = nameOf(file);
  const top = file.path.indexOf("uploads");
  if (top >= 0 && top < file.path.length - 1) found.uploads.set(file.path.slice(top + 1).join("/"), file);
  else if (name.endsWith("-wal")) found.journals.push(file);
  else if (isDatabase(name) && (await isOfLychee(file))) found.databases.push(file);
  else if (isDump(name)) found.dumps.push(file);
  else found.others++;
}

function* itemsOf(lychee: Lychee, uploads: Map<string, TreeFile>, wish: Visibility): Generator<Item> {
  const { albums, photos, tagAlbumCount } = lychee;
  const byID = new Map(albums.map((album) => [album.id, album]));
  const toVisibility = (isPublic: boolean): Visibility => (isPublic ? wish : "private");
  if (tagAlbumCount > 0)
    yield {
      kind: "note",
      key: "tag albums",
      reason: `${tagAlbumCount} tag albums are not taken: their photos have the tags.`,
    };
  for (const { album, above } of sortAlbums(albums, byID)) yield toAlbum(album, above, toVisibility(album.isPublic));
  const positions = findPositions(albums, photos);
  const foldersOf = new Map(
    albums.map((album) => [album, [...ancestorsOf(album, byID), album].map(({ title }) => fileNameFrom(title))]),
  );
  const toUniquePath = createUniquePaths();
  for (const photo of photos) {
    const file = photo.original === null ? undefined : uploads.get(photo.original);
    if (!file) {
      const reason = `Its picture is not in uploads: ${photo.original ?? "the database names none"}.`;
      yield { kind: "refused", key: photo.id, reason };
      continue;
    }
    const inAlbums = photo.albumIDs.flatMap((id) => byID.get(id) ?? []);
    const visibility = toVisibility(inAlbums.some(({ isPublic }) => isPublic));
    const [first] = inAlbums;
    const folders = (first && foldersOf.get(first)) ?? [];
    const path = toUniquePath([...folders, withExtension(fileNameFrom(photo.title), photo.original ?? "")]);
    const common = { kind: "file" as const, visibility, photo: null, albums: [] };
    yield {
      ...common,
      ...bytesOf(file, photo.original ?? ""),
      path,
      photo: { ...toDetails(photo), visibility },
      albums: inAlbums.map(({ id }) => id),
      positions: positions.get(photo.id) ?? {},
      coverOf: inAlbums.filter(({ coverID }) => coverID === photo.id).map(({ id }) => id),
    };
    // What belongs to the photo lies beside it.
    for (const part of [photo.raw, photo.live]) {
      const partFile = part === null ? undefined : uploads.get(part);
      const name = stemOf(path.at(-1) ?? "");
      if (part !== null && !partFile)
        yield { kind: "refused", key: part, reason: `It belongs to ${path.join("/")}, and is not in uploads.` };
      if (part !== null && partFile)
        yield { ...common, ...bytesOf(partFile, part), path: toUniquePath([...folders, withExtension(name, part)]) };
    }
  }
}

const bytesOf = (
  { size, modifiedAt, open }: TreeFile,
  key: string,
): Pick<FileItem, "key" | "size" | "modifiedAt" | "open"> => ({
  key,
  size,
  modifiedAt,
  open,
});

function withExtension(name: string, path: string): string {
  const extension = /\.[^./]{1,10}$/.exec(path)?.[0] ?? "";
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : `${name}${extension}`;
}

/** The albums that contain it, the topmost first. */
function ancestorsOf(album: LycheeAlbum, byID: Map<string, LycheeAlbum>): LycheeAlbum[] {
  const above: LycheeAlbum[] = [];
  for (let next = byID.get(album.parentID ?? ""); next && above.length < 100; next = byID.get(next.parentID ?? "")) {
    if (next === album || above.includes(next)) break;
    above.unshift(next);
  }
  return above;
}

/** Each after the one that contains it. At the top, new albums come first. */
function sortAlbums(albums: LycheeAlbum[], byID: Map<string, LycheeAlbum>) {
  const placed = albums.map((album) => ({ album, above: ancestorsOf(album, byID) }));
  return placed.toSorted((one, other) => {
    const deeper = one.above.length - other.above.length;
    const later = one.album.left - other.album.left;
    return deeper !== 0 ? deeper : one.above.length === 0 ? -later : later;
  });
}

function toAlbum(album: LycheeAlbum, above: LycheeAlbum[], visibility: Visibility): AlbumItem {
  const { id, title, description, sorting } = album;
  const byDate = sorting.isDescending ? "newestFirst" : "oldestFirst";
  return {
    kind: "album",
    key: id,
    name: toLine(title) || "Untitled",
    description: toText(description),
    // What is too deep for us lies in the deepest that may have albums.
    parent: above.slice(0, deepestAlbum - 1).at(-1)?.id ?? null,
    visibility,
    ...(sorting.column === "taken_at" && { photoOrder: byDate }),
  };
}

/** Lychee stores rules. The place of each photo in its albums follows from them. */
function findPositions(albums: LycheeAlbum[], photos: LycheePhoto[]): Map<string, Record<string, number>> {
  const positions = new Map<string, Record<string, number>>();
  const inAlbums = new Map<string, LycheePhoto[]>(albums.map(({ id }) => [id, []]));
  for (const photo of photos) for (const id of photo.albumIDs) inAlbums.get(id)?.push(photo);
  for (const { id, sorting } of albums) {
    if (sorting.column === "taken_at") continue;
    const keyed = (inAlbums.get(id) ?? []).map((photo) => ({ photo, key: sortKey(photo.row[sorting.column]) }));
    const order = keyed.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    if (sorting.isDescending) order.reverse();
    for (const [index, { photo }] of order.entries())
      positions.set(photo.id, Object.assign(positions.get(photo.id) ?? {}, { [id]: index }));
  }
  return positions;
}

const sortKey = (value: unknown) => naturalOrderKey(textOf(value).slice(0, 200));

function toDetails({ title, description, tags, place, takenAt, zone, isHighlighted }: LycheePhoto): PhotoDetails {
  return {
    ...toPhotoDetails({ title, description, tags, place }),
    isFavourite: isHighlighted,
    ...(takenAt !== null && { momentTaken: takenAt }),
    ...(takenAt !== null && zone !== null && { clockTaken: clockIn(zone, takenAt) }),
  };
}
