import { type Remote, RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { withoutHidden } from "../files.ts";
import { listFolder as listItems } from "../folder.ts";
import { addTo, type FileItem, type Item, publicIf } from "../items.ts";
import { type DavTree, listFolder, nameIn, openDav } from "./dav-tree.ts";
import type { ServerKind } from "./server.ts";

type Place = {
  title: string;
  /** The address of the folder that is read. */
  top: string;
  /** The address of the albums in the Photos app of Nextcloud. */
  albums: string | null;
};

/** A folder of a WebDAV server, or all files of one person in Nextcloud. */
export const webdavKind = (remote: Remote, { title, top, albums }: Place): ServerKind => ({
  kind: "webdav",
  title,
  alwaysHasPhotos: false,
  check: () => listFolder(remote, top),
  /** As of a folder, with what else the server knows. */
  async *list(options) {
    const tree = openDav(remote, top, title);
    const albumsOf = new Map<string, string[]>();
    if (albums !== null && (options.hasPhotos || options.hasAlbums)) yield* listAlbums(remote, albums, albumsOf);
    const list = (visible: DavTree) => listItems(visible, options);
    for await (const item of options.hasHidden ? list(tree) : withoutHidden(tree, list))
      yield item.kind === "file" ? complete(item, tree, albumsOf) : item;
  },
});

function complete(item: FileItem, { facts }: DavTree, albumsOf: Map<string, string[]>): FileItem {
  const fact = facts.get(item.key);
  if (!fact) return item;
  facts.delete(item.key);
  const { etag, isFavourite, id } = fact;
  return {
    ...item,
    ...(etag && { version: `${item.size} ${etag.slice(0, 200)}` }),
    photo: item.photo ? { ...(isFavourite && { isFavourite }), ...item.photo } : null,
    albums: [...(item.albums ?? []), ...(albumsOf.get(id ?? "") ?? [])],
  };
}

/** The albums of the Photos app, by the files that they name. A server without that app has none. */
async function* listAlbums(remote: Remote, albums: string, albumsOf: Map<string, string[]>): AsyncGenerator<Item> {
  try {
    for (const { href, isDirectory } of await listFolder(remote, albums)) {
      const found = nameIn(albums, href, remote);
      if (!isDirectory || !found || found.reason) continue;
      const key = `album ${found.name}`;
      yield { kind: "album", key, name: found.name, visibility: publicIf(true), photoOrder: "newestFirst" };
      for (const { id, isDirectory: isFolder } of await listFolder(remote, href))
        if (id !== null && !isFolder) addTo(albumsOf, id, key);
    }
  } catch (error) {
    if (!(error instanceof RemoteError) || error.status === null || error.status === 401) throw error;
  }
}
