import { deepestAlbum } from "../../src/content/albums/album.ts";
import { fileNameFrom } from "../../src/content/files/names.ts";
import { openSqliteCopy } from "../../src/platform/archives/sqlite-copy.ts";
import type { TreeFile } from "../../src/platform/archives/tree.ts";
import { naturalOrderKey } from "../../src/platform/text.ts";
import { clockIn } from "../../src/platform/zone-clock.ts";
import { createUniquePaths, stemOf, tryHead } from "./files.ts";
import { addTo, type Item, keyOf, listFiles, nameOf, note, publicIf, refuse, toFile } from "./items.ts";
import type { SourceKind } from "./kind.ts";
import { type Lychee, type LycheeAlbum, type LycheePhoto, readLychee, textOf } from "./lychee-database.ts";

const headBytes = 2 ** 22;
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
  async *list(tree): AsyncGenerator<Item> {
    const { files, lines } = await listFiles(tree);
    yield* lines;
    const { uploads, databases, journals, dumps, others } = await sortFiles(files);
    const [database, ...more] = databases;
    for (const other of more) yield refuse(keyOf(other), "It is a second database of Lychee: import one at a time.");
    if (!database)
      return yield refuse(
        dumps[0] ? keyOf(dumps[0]) : "database",
        "A dump of MySQL or PostgreSQL cannot be read: convert it to SQLite, and put the file database.sqlite beside uploads.",
      );
    let lychee: Lychee;
    try {
      await using db = await openSqliteCopy(database, journals.get(`${keyOf(database)}-wal`));
      lychee = await readLychee(db);
    } catch (error) {
      return yield refuse(keyOf(database), `The database cannot be read: ${(error as Error).message}`);
    }
    const taken = new Set<string>();
    for (const item of itemsOf(lychee, uploads)) {
      if (item.kind === "file") taken.add(item.key);
      yield item;
    }
    const left = [...uploads.keys()].filter((key) => !taken.has(key));
    if (left.length > 0)
      yield note(
        "uploads",
        `${left.length} files that no photo needs are not taken, such as the smaller pictures of Lychee: ${left[0]}.`,
      );
    const ofLychee = others.length + dumps.length;
    if (ofLychee > 0) yield note("other files", `${ofLychee} of Lychee itself are not taken.`);
  },
};

/** The first pages of a database name its tables. */
async function isOfLychee(file: TreeFile): Promise<boolean> {
  const head = await tryHead(file, headBytes);
  return head.includes("size_variants") && head.includes("base_albums");
}

async function sortFiles(files: TreeFile[]) {
  const uploads = new Map<string, TreeFile>();
  const journals = new Map<string, TreeFile>();
  const [databases, dumps, others]: [TreeFile[], TreeFile[], TreeFile[]] = [[], [], []];
  for (const file of files) {
    const name = nameOf(file);
    const top = file.path.indexOf("uploads");
    if (top >= 0 && top < file.path.length - 1) uploads.set(file.path.slice(top + 1).join("/"), file);
    else if (name.endsWith("-wal")) journals.set(keyOf(file), file);
    else if (isDatabase(name) && (await isOfLychee(file))) databases.push(file);
    else (isDump(name) ? dumps : others).push(file);
  }
  return { uploads, journals, databases, dumps, others };
}

function* itemsOf({ albums, photos, tagAlbumCount }: Lychee, uploads: Map<string, TreeFile>): Generator<Item> {
  const byID = new Map(albums.map((album) => [album.id, album]));
  if (tagAlbumCount > 0)
    yield note("tag albums", `${tagAlbumCount} tag albums are not taken: their photos have the tags.`);
  for (const { album, above } of sortAlbums(albums, byID)) yield toAlbum(album, above);
  const positions = findPositions(albums, photos);
  const foldersOf = new Map(
    albums.map((album) => [album, [...ancestorsOf(album, byID), album].map(({ title }) => fileNameFrom(title))]),
  );
  const toUniquePath = createUniquePaths();
  for (const photo of photos) {
    const file = uploads.get(photo.original);
    if (!file) {
      yield refuse(photo.id, `Its picture is not in uploads: ${photo.original || "the database names none"}.`);
      continue;
    }
    const inAlbums = photo.albumIDs.flatMap((id) => byID.get(id) ?? []);
    const isPublic = inAlbums.some((album) => album.isPublic);
    const [first] = inAlbums;
    const folders = (first && foldersOf.get(first)) ?? [];
    const path = toUniquePath([...folders, withExtension(fileNameFrom(photo.title), photo.original)]);
    yield toFile(file, {
      key: photo.original,
      path,
      isPublic,
      photo: toDetails(photo),
      albums: inAlbums.map(({ id }) => id),
      positions: positions.get(photo.id) ?? {},
      coverOf: inAlbums.filter(({ coverID }) => coverID === photo.id).map(({ id }) => id),
    });
    // What belongs to the photo is beside it.
    for (const key of [photo.raw, photo.live].filter(Boolean)) {
      const part = uploads.get(key);
      const name = withExtension(stemOf(path.at(-1) ?? ""), key);
      if (part) yield toFile(part, { key, path: toUniquePath([...folders, name]), isPublic });
      else yield refuse(key, `It belongs to ${path.join("/")}, and is not in uploads.`);
    }
  }
}

function withExtension(name: string, path: string): string {
  const extension = /\.[^./]{1,10}$/.exec(path)?.[0] ?? "";
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : `${name}${extension}`;
}

/** The albums that contain it, the topmost first. */
function ancestorsOf(album: LycheeAlbum, byID: Map<string, LycheeAlbum>): LycheeAlbum[] {
  const above: LycheeAlbum[] = [];
  for (let next = byID.get(album.parentID); next && above.length < 100; next = byID.get(next.parentID)) {
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

function toAlbum({ id, title, description, sorting, isPublic }: LycheeAlbum, above: LycheeAlbum[]): Item {
  const byDate = sorting.isDescending ? "newestFirst" : "oldestFirst";
  return {
    kind: "album",
    key: id,
    name: title || "Untitled",
    description,
    // Albums nested too deeply are moved to the deepest allowed level.
    parent: above.slice(0, deepestAlbum - 1).at(-1)?.id ?? null,
    visibility: publicIf(isPublic),
    ...(sorting.column === "taken_at" && { photoOrder: byDate }),
  };
}

/** Lychee stores rules. The place of each photo in its albums follows from them. */
function findPositions(albums: LycheeAlbum[], photos: LycheePhoto[]): Map<string, Record<string, number>> {
  const positions = new Map<string, Record<string, number>>();
  const inAlbums = new Map<string, LycheePhoto[]>();
  for (const photo of photos) for (const id of photo.albumIDs) addTo(inAlbums, id, photo);
  for (const { id, sorting } of albums) {
    if (sorting.column === "taken_at") continue;
    const keyed = (inAlbums.get(id) ?? []).map((photo) => ({ photo, key: sortKey(photo.row[sorting.column]) }));
    const order = keyed.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    if (sorting.isDescending) order.reverse();
    for (const [index, { photo }] of order.entries())
      positions.set(photo.id, { ...positions.get(photo.id), [id]: index });
  }
  return positions;
}

const sortKey = (value: unknown) => naturalOrderKey(textOf(value).slice(0, 200));

const toDetails = ({ title, description, tags, place, takenAt, zone, isHighlighted }: LycheePhoto) => ({
  title,
  description,
  tags,
  ...(place && { place }),
  isFavourite: isHighlighted,
  ...(takenAt !== null && { momentTaken: takenAt }),
  ...(takenAt !== null && zone !== "" && { clockTaken: clockIn(zone, takenAt) }),
});
