import { deepestAlbum } from "../../../content/albums/album.ts";
import { isUnusable, type Tree } from "../../../platform/archives/tree.ts";
import type { AlbumItem, Source } from "../item.ts";
import type { SourceKind, SourceWish } from "./kind.ts";

/** A folder as it is: its tree of files, and albums after its folders if that is wanted. */
export const folderKind: SourceKind = {
  kind: "folder",
  title: null,
  alwaysHasPhotos: false,
  recognise: async () => true,
  open: folderSource,
};

function folderSource(tree: Tree, name: string, { hasPhotos, hasAlbums, visibility }: SourceWish): Source {
  return {
    kind: "folder",
    name,
    async *items() {
      const albums = new Set<string>();
      for await (const entry of tree.list()) {
        if (isUnusable(entry)) {
          yield { kind: "refused", key: entry.path, reason: entry.reason };
          continue;
        }
        const { path } = entry;
        if ("isDirectory" in entry) {
          yield { kind: "directory", key: path.join("/"), path };
          continue;
        }
        const { size, modifiedAt, open } = entry;
        // What lies deeper than albums can is in the deepest one.
        const folders = hasAlbums ? path.slice(0, -1).slice(0, deepestAlbum) : [];
        for (const album of albumsOf(folders, albums)) yield { ...album, visibility };
        yield {
          kind: "file",
          key: path.join("/"),
          path,
          size,
          modifiedAt,
          open,
          visibility,
          photo: hasPhotos || hasAlbums ? { ...(visibility && { visibility }) } : null,
          albums: folders.length > 0 ? [folders.join("/")] : [],
        };
      }
    },
  };
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
