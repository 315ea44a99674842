import { UnusableEntry } from "../../../src/platform/archives/tree.ts";
import type { ReadExport } from "../../../src/platform/archives/vitrine-export.ts";
import { createHasher } from "../../../src/platform/hash.ts";
import { type Item, publicIf, refuse } from "../items.ts";
import { decode } from "../texts.ts";
import type { Exported, RecordReader, toSitePhoto } from "./exported.ts";
import { type Places, toSiteFile } from "./to-photos.ts";

type Directory = { parentID: number; name: string; isPrivate: boolean };
/** Where a file or directory lay in the site, and whether it or a directory above is private. */
type Place = { path: string[]; isPrivate: boolean };

type Context = {
  site: ReadExport;
  records: RecordReader;
  /** By the ids of their files; those that were taken are removed. */
  photos: Map<number, ReturnType<typeof toSitePhoto>>;
  places: Places;
  /** The earlier addresses of files, by their ids. */
  addresses: ReadonlyMap<number, string[]>;
};

const deepest = 60;

/** The directories of an export, those above others first, and then its files. */
export async function* listExportedFiles(context: Context): AsyncGenerator<Item> {
  const { records } = context;
  const directories = new Map<number, Directory>();
  for await (const { id, sha256, ...file } of records.read("files"))
    if (sha256 === null) directories.set(id, { parentID: file.parentID, name: file.name, isPrivate: file.isPrivate });
  yield { kind: "directory", key: ".", path: [], visibility: "public" };
  const places = [...directories.keys()].flatMap((id) => placeIn(directories, id) ?? []);
  for (const { path, isPrivate } of places.toSorted((one, other) => one.path.length - other.path.length))
    yield { kind: "directory", key: `/${path.join("/")}`, path, visibility: publicIf(!isPrivate) };
  for await (const file of records.read("files")) {
    // What lies in a directory in the trash is there with it.
    if (file.sha256 !== null && !file.path.startsWith("trash/"))
      yield toItem(file, placeOf(directories, file), context);
  }
}

/** The place of a directory; null if one above is missing. */
function placeIn(directories: ReadonlyMap<number, Directory>, id: number): Place | null {
  const place: Place = { path: [], isPrivate: false };
  for (let next = id; next !== 0;) {
    const directory = directories.get(next);
    if (!directory || place.path.length > deepest) return null;
    place.path.unshift(directory.name);
    place.isPrivate ||= directory.isPrivate;
    next = directory.parentID;
  }
  return place;
}

/** What one person has exported may lie in directories of others: their names are in the path in the export. */
function placeOf(
  directories: ReadonlyMap<number, Directory>,
  { parentID, name, path }: Exported<"files">,
): Place | null {
  const above = placeIn(directories, parentID);
  if (above) return { ...above, path: [...above.path, name] };
  const [top, ...names] = path.split("/");
  if (top !== "files" || names.length === 0 || names.length > deepest) return null;
  // Nobody knows who may see those directories.
  return { path: [...names.slice(0, -1).map(decode), name], isPrivate: true };
}

function toItem(record: Exported<"files">, place: Place | null, { site, photos, places, addresses }: Context): Item {
  const { id, ownerID, sha256, path } = record;
  const found = site.find(path);
  const photo = photos.get(id);
  photos.delete(id);
  const key = `file ${id} (${path})`;
  if (!place) return refuse(key, "The directory that it is in is not in the export.");
  if (!found) return refuse(key, "It is missing in the export.");
  const file = { ...record, size: found.size, visibility: publicIf(!place.isPrivate && !record.isPrivate) } as const;
  // Where somebody else's file was taken is not shown by a photo of it.
  const hasOwnPlace = photo && (photo.ownerID === ownerID || photo.place !== null);
  const shown = photo && {
    ...photo,
    showLocation: photo.showLocation && hasOwnPlace === true,
    thumbhash: photo.editedOf === sha256 ? photo.thumbhash : null,
  };
  const open = () => readWhole(found.open(), sha256 ?? "");
  return {
    ...toSiteFile(file, { path: place.path, photo: shown, places, open }),
    oldAddresses: addresses.get(id) ?? [],
  };
}

async function* readWhole(bytes: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hasher = createHasher("sha256");
  for await (const chunk of bytes) {
    hasher.update(chunk);
    yield chunk;
  }
  if (hasher.digest("hex") !== sha256) throw new UnusableEntry("It is damaged in the export.");
}
