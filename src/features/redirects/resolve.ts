import { findAlbums } from "../../content/albums/store.ts";
import { hasPublicPosts } from "../../content/blog/post-tags.ts";
import { findPostLinksSeenBy } from "../../content/blog/public-pages.ts";
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
  return redirect && resolveTarget(db, null, redirect);
}

/** The path of what a redirect leads to; null if the viewer may not see it. */
export async function resolveTarget(db: Reader, viewer: Viewer, target: Target): Promise<string | null> {
  if ("target" in target) return target.kind === "path" ? target.target : resolveTag(db, viewer, target.target);
  const { recordID: id } = target;
  if (target.kind === "photo") return (await findPhotos(db, viewer, [id])).has(id) ? `/photos/${id}` : null;
  if (target.kind === "album") return (await findAlbums(db, viewer, [id])).has(id) ? `/albums/${id}` : null;
  if (target.kind === "file") return resolveFile(db, viewer, id);
  const post = (await findPostLinksSeenBy(db, viewer, [id])).get(id);
  return post ? `${post.kind === "page" ? "" : "/blog"}/${encodeURIComponent(post.slug)}` : null;
}

/** A file that is private may have a photo that is not. */
async function resolveFile(db: Reader, viewer: Viewer, id: number): Promise<string | null> {
  const file = (await findPresentedFiles(db, viewer, [id])).get(id);
  if (file?.url) return file.url;
  const photo = (await findPhotosOfFiles(db, viewer, [id])).get(id);
  return photo ? `/photos/${photo.id}` : null;
}

/** Which tags there are is not for guests, unless something public has one. */
async function resolveTag(db: Reader, viewer: Viewer, tag: string): Promise<string | null> {
  const path = `/tags/${encodeURIComponent(tag)}`;
  if (viewer !== null || (await hasPublicPosts(db, tagKey(tag)))) return path;
  const { items } = await listPhotosByKey(db, null, { tag }, { sort: byID, order: "desc", after: null, size: 1 });
  for await (const some of items) if (some.length > 0) return path;
  return null;
}

/** The record that is at a path of the site now, so that a redirect follows it; else the path itself. */
export async function targetAt(db: Reader, path: string): Promise<Target> {
  const [first = "", second = "", ...rest] = decodeURI(path.split(/[?#]/, 1)[0] ?? "")
    .split("/")
    .slice(1);
  const isExact = rest.length === 0 && !path.includes("?");
  const id = /^([1-9]\d{0,14})(?:-[^/]*)?$/.exec(second)?.[1];
  if (isExact && first === "photos" && id) return { kind: "photo", recordID: Number(id) };
  if (isExact && first === "albums" && id) return { kind: "album", recordID: Number(id) };
  if (isExact && first === "tags" && second) return { kind: "tag", target: decodeURIComponent(second) };
  const content = /^\/api\/v1\/files\/([1-9]\d{0,14})\/content$/.exec(path)?.[1];
  if (content) return { kind: "file", recordID: Number(content) };
  const slug = first === "blog" ? second : second === "" ? first : "";
  const postID = isExact && slug !== "" ? await findIDBySlug(db, decodeURIComponent(slug).normalize("NFC")) : null;
  return postID === null ? { kind: "path", target: path } : { kind: "post", recordID: postID };
}
