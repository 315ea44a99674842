import { deepestAlbum } from "../../src/content/albums/album.ts";
import { listByDirectory } from "../../src/platform/archives/by-directory.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import type { AlbumItem, FileItem, Item, PhotoDetails, Source } from "../../src/features/imports/item.ts";
import type { SourceKind, SourceWish } from "./kind.ts";
import { findParts } from "./parts.ts";
import { detailsFrom, findSidecar, indexSidecars, readSidecar } from "./sidecars.ts";

/** A folder as it is: its tree of files, and albums after its folders if that is wanted. */
export const folderKind: SourceKind = {
  kind: "folder",
  title: null,
  alwaysHasPhotos: false,
  recognise: async () => true,
  open: folderSource,
};

export function folderSource(tree: Tree, name: string, wish: SourceWish): Source {
  return { kind: "folder", name, hasUniqueFiles: tree.hasFilesTogether === true, items: () => listItems(tree, wish) };
}

async function* listItems(tree: Tree, wish: SourceWish): AsyncGenerator<Item> {
  const albums = new Set<string>();
  for await (const directory of listByDirectory(tree)) {
    if ("reason" in directory) {
      yield { kind: directory.isNeedless ? "note" : "refused", key: directory.path, reason: directory.reason };
      continue;
    }
    const { path, isListed, files } = directory;
    if (isListed) yield { kind: "directory", key: path.join("/"), path, visibility: wish.visibility };
    // What lies deeper than albums can is in the deepest one.
    const folders = wish.hasAlbums && files.length > 0 ? path.slice(0, deepestAlbum) : [];
    for (const album of albumsOf(folders, albums)) yield { ...album, visibility: wish.visibility };
    yield* filesOf(files, folders, wish);
  }
}

async function* filesOf(files: TreeFile[], folders: string[], wish: SourceWish): AsyncGenerator<Item> {
  const { visibility } = wish;
  const hasPhotos = wish.hasPhotos || wish.hasAlbums;
  const names = files.map(({ path }) => path.at(-1) ?? "");
  const parts = hasPhotos ? findParts(names) : new Map<string, string>();
  const partsOf = Map.groupBy(parts.keys(), (part) => parts.get(part) ?? "");
  const sidecars = hasPhotos ? indexSidecars(files) : new Map<string, TreeFile>();
  for (const [index, { path, size, modifiedAt, open }] of files.entries()) {
    const name = names[index] ?? "";
    const isPhoto = hasPhotos && !parts.has(name);
    const sidecar = isPhoto ? findSidecar(sidecars, withParts(name, partsOf)) : null;
    let said: PhotoDetails = {};
    // What an unreadable sidecar says is lost; the picture and the sidecar itself are not.
    if (sidecar)
      try {
        const found = await readSidecar(sidecar);
        if (found) said = detailsFrom(found, wish.hasStars ?? false);
      } catch (error) {
        const reason = `What it says of ${name} cannot be read: ${(error as Error).message}`;
        yield { kind: "refused", key: sidecar.path.join("/"), reason };
      }
    const item: FileItem = { kind: "file", key: path.join("/"), path, size, modifiedAt, open, visibility, ...none };
    if (isPhoto) {
      item.photo = { ...said, visibility };
      item.albums = folders.length > 0 ? [folders.join("/")] : [];
    }
    yield item;
  }
}

const none = { photo: null, albums: [] };

/** A photo, what it was made from, and what that was made from. */
function withParts(name: string, partsOf: Map<string, string[]>): string[] {
  const direct = partsOf.get(name) ?? [];
  return [name, ...direct, ...direct.flatMap((part) => partsOf.get(part) ?? [])];
}

/** Those of a path of folders that did not come yet, each in the one above. */
function* albumsOf(folders: string[], known: Set<string>): Generator<Omit<AlbumItem, "visibility">> {
  for (const [index, name] of folders.entries()) {
    const key = folders.slice(0, index + 1).join("/");
    if (known.has(key)) continue;
    known.add(key);
    const parent = index === 0 ? null : folders.slice(0, index).join("/");
    yield { kind: "album", key, name, description: "", parent };
  }
}
