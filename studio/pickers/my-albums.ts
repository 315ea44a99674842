import { queryOptions } from "@tanstack/react-query";
import type { Album } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";

/** All albums of the person who has signed in, in their order. */
export const myAlbumsQuery = queryOptions({
  queryKey: ["albums", "mine"],
  queryFn: ({ signal }) => Array.fromAsync(api.listAlbums.all({ owner: "me", sort: "position" }, { signal })),
});

type Node = { album: Album; depth: number; children: Node[] };

/** Albums with those in them, in their order. An album whose parent is not among them is at the top level. */
export function toTree(albums: readonly Album[]): Node[] {
  const ids = new Set(albums.map(({ id }) => id));
  const byParent = Map.groupBy(albums, ({ parentID }) => (parentID !== null && ids.has(parentID) ? parentID : null));
  const nodesOf = (parentID: number | null, depth: number): Node[] =>
    (byParent.get(parentID) ?? []).map((album) => ({ album, depth, children: nodesOf(album.id, depth + 1) }));
  return nodesOf(null, 0);
}

/** Each album before those in it. */
export const flatten = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flatten(node.children)]);

/** The albums around this one, the outermost first. */
export function parentsOf(albums: readonly Album[], { parentID }: Album): Album[] {
  const parent = albums.find(({ id }) => id === parentID);
  return parent ? [...parentsOf(albums, parent), parent] : [];
}
