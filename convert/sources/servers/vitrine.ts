import type { Remote } from "../../../src/platform/outgoing/remote.ts";
import { type Item, publicIf } from "../items.ts";
import { recordKey, type SiteFile, type SitePhoto } from "../vitrine/site.ts";
import {
  createPlaces,
  listAlbums,
  type Places,
  placePhotos,
  refusePhoto,
  rememberPhoto,
  toSiteFile,
} from "../vitrine/to-photos.ts";
import { type PostContext, toComment, toPost } from "../vitrine/to-posts.ts";
import { readFile, type ServerKind } from "./server.ts";
import { createVitrineClient } from "./vitrine-client.ts";

const deepest = 60;

type Context = {
  remote: Remote;
  vitrine: ReturnType<typeof createVitrineClient>;
  me: { id: number; isAdmin: boolean; whose: string };
  /** By the ids of their files; those that were taken are removed. */
  photos: Map<number, SitePhoto>;
  places: Places;
};

/** What belongs to one person of another site, or to all of them if that is an admin. */
export const vitrineKind = (remote: Remote): ServerKind => ({
  kind: "vitrine",
  title: "Vitrine",
  alwaysHasPhotos: true,
  check: () => createVitrineClient(remote).readMe(),
  async *list(): AsyncGenerator<Item> {
    const vitrine = createVitrineClient(remote);
    const me = await vitrine.readMe();
    const places = createPlaces();
    // Oldest first: a new album at the top level comes before the others.
    const albums = (await Array.fromAsync(vitrine.albums(me.whose))).toReversed();
    yield* listAlbums(albums);
    for (const album of albums)
      if (!album.filter) placePhotos(places, album, await Array.fromAsync(vitrine.photosOf(album.id), ({ id }) => id));
    const photos = new Map<number, SitePhoto>();
    for await (const photo of vitrine.photos(me.whose)) yield* rememberPhoto(photo, photos);
    const shown = new Map([...photos].map(([fileID, { id, altText }]) => [id, { fileID, altText }]));
    const context: Context = { remote, vitrine, me, photos, places };
    yield* listDirectories(context);
    for (const photo of photos.values()) yield refusePhoto(photo, "Its file belongs to somebody else.");
    yield* listPosts(context, { url: remote.url, shown });
  },
});

async function* listDirectories(context: Context): AsyncGenerator<Item> {
  const { vitrine, me } = context;
  yield { kind: "directory", key: ".", path: [], visibility: "public" };
  const directories: { path: string[]; isPrivate: boolean }[] = [{ path: [], isPrivate: false }];
  const seen = new Set<string>();
  for (let above = directories.pop(); above !== undefined; above = directories.pop()) {
    for await (const file of vitrine.directory(`/${above.path.join("/")}`)) {
      if (file.ownerID !== me.id && !me.isAdmin) continue;
      const path = [...above.path, file.name];
      const key = `/${path.join("/")}`;
      // Everything in a private directory is private.
      const visibility = publicIf(!above.isPrivate && file.visibility === "public");
      if (!file.isDirectory) yield takeFile({ ...file, visibility }, path, context);
      else if (!seen.has(key) && path.length <= deepest) {
        seen.add(key);
        directories.push({ path, isPrivate: visibility === "private" });
        yield { kind: "directory", key, path, visibility };
      }
    }
  }
}

function takeFile(file: SiteFile, path: string[], { remote, photos, places }: Context): Item {
  const { id, size, sha256 } = file;
  const photo = photos.get(id);
  photos.delete(id);
  const checksum = sha256 === null ? null : ({ algorithm: "sha256", digest: sha256, encoding: "hex" } as const);
  const open = () => readFile(remote, `/api/v1/files/${id}/content`, size, checksum);
  return toSiteFile(file, { path, photo, places, open });
}

/** Posts and pages, oldest first, and the comments on them. Those who wrote comments come before them. */
async function* listPosts({ vitrine, me }: Context, context: PostContext): AsyncGenerator<Item> {
  const people = new Set<string>();
  for (const kind of ["post", "page"] as const)
    for await (const post of vitrine.posts(me.whose, kind)) {
      // The excerpt that is sent may be the beginning of the content, which follows the content.
      const isOwn = !lettersOf(post.content).startsWith(lettersOf(post.excerpt));
      const item = toPost({ ...post, excerpt: isOwn ? post.excerpt : "" }, context);
      yield item;
      if (kind === "page") continue;
      for await (const comment of vitrine.comments(post.id)) {
        const { username } = comment.author;
        const person = recordKey("person", username);
        if (!people.has(person)) yield { kind: "person", key: person, username, displayName: username };
        people.add(person);
        yield toComment(comment, { kind: "post", key: item.key }, { person });
      }
    }
}

const lettersOf = (text: string) => text.slice(0, 5000).replace(/[^\p{L}\p{N}]+/gu, "");
