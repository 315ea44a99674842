import { deepestAlbum } from "../../src/content/albums/album.ts";
import type { SourceOptions } from "../format/job.ts";
import { listByDirectory } from "../../src/platform/archives/by-directory.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import { readExiftoolSidecar } from "../../src/platform/sidecars/exiftool-sidecar.ts";
import { maxSidecarBytes, type Sidecar } from "../../src/platform/sidecars/sidecar.ts";
import { readXmpSidecar } from "../../src/platform/sidecars/xmp-sidecar.ts";
import { fold } from "../../src/platform/text.ts";
import { findParts, stemOf } from "./files.ts";
import { type Item, nameOf, note, type PhotoDetails, placeOf, publicIf, refuse, toFile } from "./items.ts";
import type { SourceKind } from "./kind.ts";

/** A folder as it is: its tree of files, and albums after its folders if that is wanted. */
export const folderKind: SourceKind = {
  kind: "folder",
  title: null,
  alwaysHasPhotos: false,
  hasUniqueFiles: (tree) => tree.hasFilesTogether === true,
  recognise: async () => true,
  list: listFolder,
};

export async function* listFolder(tree: Tree, options: SourceOptions): AsyncGenerator<Item> {
  const visibility = publicIf(true);
  const albums = new Set<string>();
  for await (const directory of listByDirectory(tree)) {
    if ("reason" in directory) {
      yield (directory.isNeedless ? note : refuse)(directory.path, directory.reason);
      continue;
    }
    const { path, isListed, files } = directory;
    if (isListed) yield { kind: "directory", key: path.join("/"), path, visibility };
    // What lies deeper than albums can is in the deepest one.
    const folders = options.hasAlbums && files.length > 0 ? path.slice(0, deepestAlbum) : [];
    for (const [index, name] of folders.entries()) {
      const key = folders.slice(0, index + 1).join("/");
      const parent = index === 0 ? null : folders.slice(0, index).join("/");
      if (!albums.has(key)) yield { kind: "album", key, name, parent, visibility };
      albums.add(key);
    }
    yield* filesOf(files, folders, options);
  }
}

async function* filesOf(files: TreeFile[], folders: string[], options: SourceOptions): AsyncGenerator<Item> {
  const hasPhotos = options.hasPhotos || options.hasAlbums;
  const parts = hasPhotos ? findParts(files.map(nameOf)) : new Map<string, string>();
  const partsOf = Map.groupBy(parts.keys(), (part) => parts.get(part) ?? "");
  const sidecars = new Map(files.filter(isSidecar).map((file) => [fold(nameOf(file)), file]));
  for (const file of files) {
    const name = nameOf(file);
    const isPhoto = hasPhotos && !parts.has(name);
    const sidecar = isPhoto && !isSidecar(file) ? findSidecar(sidecars, withParts(name, partsOf)) : null;
    let said: PhotoDetails = {};
    // What an unreadable sidecar says is lost; the picture and the sidecar itself are not.
    if (sidecar)
      try {
        said = detailsFrom(await readSidecar(sidecar), options.hasStars ?? false);
      } catch (error) {
        const reason = `What it says of ${name} cannot be read: ${(error as Error).message}`;
        yield refuse(sidecar.path.join("/"), reason);
      }
    const albums = isPhoto && folders.length > 0 ? [folders.join("/")] : [];
    yield toFile(file, { path: file.path, isPublic: true, photo: isPhoto ? said : null, albums });
  }
}

const isSidecar = (file: TreeFile) => /\.(xmp|json)$/i.test(nameOf(file));

/** A photo, what it was made from, and what that was made from. */
function withParts(name: string, partsOf: Map<string, string[]>): string[] {
  const direct = partsOf.get(name) ?? [];
  return [name, ...direct, ...direct.flatMap((part) => partsOf.get(part) ?? [])];
}

/** The sidecar of the first of these files that has one: `X.jpg.xmp` rather than `X.xmp`, which may be of `X.CR2`. */
function findSidecar(sidecars: Map<string, TreeFile>, names: string[]): TreeFile | undefined {
  const stems = names.flatMap((name) => [name, stemOf(name)]);
  const possible = [".xmp", ".json"].flatMap((extension) => stems.map((stem) => fold(`${stem}${extension}`)));
  return possible.map((name) => sidecars.get(name)).find(Boolean);
}

/** What a sidecar says. Null if it is JSON of something else. Throws if it cannot be read. */
async function readSidecar(file: TreeFile): Promise<Sidecar | null> {
  if (file.size > maxSidecarBytes) throw new Error(`It is larger than ${maxSidecarBytes / 2 ** 20} MiB.`);
  const bytes = Buffer.concat(await Array.fromAsync(file.open()));
  const encodings = { fffe: "utf-16le", feff: "utf-16be" } as const;
  const mark = bytes.toString("hex", 0, 2) as keyof typeof encodings;
  const text = new TextDecoder(encodings[mark] ?? "utf-8").decode(bytes);
  return /\.json$/i.test(nameOf(file)) ? readExiftoolSidecar(text) : readXmpSidecar(text);
}

function detailsFrom(sidecar: Sidecar | null, hasStars: boolean): PhotoDetails {
  if (!sidecar) return {};
  const { takenAt, rating, place, ...said } = sidecar;
  return {
    ...said,
    ...placeOf(place?.latitude, place?.longitude),
    ...(takenAt && { [takenAt.hasZone ? "momentTaken" : "clockTaken"]: takenAt.time }),
    ...(hasStars && rating === 5 && { isFavourite: true }),
  };
}
