import { findAlbums } from "../../content/albums/store.ts";
import { hasPublicPosts } from "../../content/blog/post-tags.ts";
import { findPostLinksSeenBy } from "../../content/blog/public-pages.ts";
import type { PostLink } from "../../content/blog/rows.ts";
import { findIDBySlug } from "../../content/blog/slugs.ts";
import { findPresentedFiles } from "../../content/files/store.ts";
import { listPhotosByKey } from "../../content/photos/list-photos.ts";
import { findPhotos, findPhotosOfFiles } from "../../content/photos/store.ts";
import { findRedirect, type Target } from "../../core/redirects/store.ts";
import { tagKey } from "../../core/records/tags.ts";
import type { Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import type { Viewer } from "../../platform/http/route.ts";

/** Where an old address leads a guest; null if it leads nowhere, or to what a guest may not see. */
export async function findMoved(db: Reader, url: string): Promise<string | null> {
  const redirect = await findRedirect(db, url);
  if (!redirect || (redirect.kind === "tag" && !(await isPublicTag(db, redirect.target)))) return null;
  return (await findPlaces(db, null, [redirect]))(redirect)?.path ?? null;
}

/** A path of this site, and the title of what is there, if that has one. */
type Place = { path: string; title: string | null };

/**
 * Where redirects lead: null for those whose record was deleted, or is not for the viewer. Costs the same number of statements for
 * one as for many. Which tags there are is not checked.
 */
export async function findPlaces(
  db: Reader,
  viewer: Viewer,
  targets: readonly Target[],
): Promise<(target: Target) => Place | null> {
  const idsOf = (wanted: Target["kind"]) => [
    ...new Set(targets.flatMap((one) => ("recordID" in one && one.kind === wanted ? [one.recordID] : []))),
  ];
  const find = <Found>(
    ids: number[],
    read: (db: Reader, viewer: Viewer, ids: number[]) => Promise<Map<number, Found>>,
  ) => (ids.length === 0 ? new Map<number, Found>() : read(db, viewer, ids));
  const posts = await find(idsOf("post"), findPostLinksSeenBy);
  const photos = await find(idsOf("photo"), findPhotos);
  const albums = await find(idsOf("album"), findAlbums);
  const files = await find(idsOf("file"), findPresentedFiles);
  // A file that is private may have a photo that is not.
  const photosOfFiles = await find(
    idsOf("file").filter((id) => !files.get(id)?.url),
    findPhotosOfFiles,
  );

  return (target) => {
    if ("target" in target) return toPlace(target);
    const { kind, recordID: id } = target;
    const post = kind === "post" && posts.get(id);
    if (post) return { path: postPath(post), title: post.title };
    const album = kind === "album" && albums.get(id);
    if (album) return { path: `/albums/${id}`, title: album.name };
    const file = kind === "file" && files.get(id);
    if (file && file.url) return { path: file.url, title: file.name };
    const photo = kind === "photo" ? photos.get(id) : kind === "file" ? photosOfFiles.get(id) : null;
    return photo ? { path: `/photos/${photo.id}`, title: photo.title } : null;
  };
}

const toPlace = ({ kind, target }: Extract<Target, { target: string }>): Place =>
  kind === "path" ? { path: target, title: null } : { path: `/tags/${encodeURIComponent(target)}`, title: target };

const postPath = ({ kind, slug }: PostLink) => `${kind === "page" ? "" : "/blog"}/${encodeURIComponent(slug)}`;

/** Which tags there are is not for guests, unless something public has one. */
async function isPublicTag(db: Reader, tag: string): Promise<boolean> {
  if (await hasPublicPosts(db, tagKey(tag))) return true;
  const { items } = await listPhotosByKey(db, null, { tag }, { sort: byID, order: "desc", after: null, size: 1 });
  for await (const some of items) if (some.length > 0) return true;
  return false;
}

/** The record that is at a path of the site now, so that a redirect follows it; else the path itself. */
export async function targetAt(db: Reader, path: string): Promise<Target> {
  const [, first = "", second = "", ...rest] = (path.split(/[?#]/, 1)[0] ?? "").split("/").map(decodeURIComponent);
  const isExact = rest.length === 0 && !path.includes("?");
  const id = /^([1-9]\d{0,14})(?:-[^/]*)?$/.exec(second)?.[1];
  if (isExact && first === "photos" && id) return { kind: "photo", recordID: Number(id) };
  if (isExact && first === "albums" && id) return { kind: "album", recordID: Number(id) };
  if (isExact && first === "tags" && second) return { kind: "tag", target: second };
  const content = /^\/api\/v1\/files\/([1-9]\d{0,14})\/content$/.exec(path)?.[1];
  if (content) return { kind: "file", recordID: Number(content) };
  const slug = first === "blog" ? second : second === "" ? first : "";
  const postID = isExact && slug !== "" ? await findIDBySlug(db, slug.normalize("NFC")) : null;
  return postID === null ? { kind: "path", target: path } : { kind: "post", recordID: postID };
}
