import { acceptableTags } from "../../../src/features/imports/acceptable.ts";
import { toLine } from "../../../src/features/imports/texts.ts";
import type { CommentItem, PostItem } from "../../../src/features/imports/item.ts";
import { referenceTo } from "../../../src/features/imports/references.ts";
import { keyOf, type Limit, type SiteComment, type SitePost } from "./site.ts";

/** What a photo shows, and what it is for those who cannot see it. */
type Shown = { fileID: number; altText: string };

export type PostContext = {
  /** The address of the site; "" if it is not known. */
  url: string;
  /** By the ids of the photos. */
  shown: ReadonlyMap<number, Shown>;
  limit: Limit;
};

export function toPost(post: SitePost, { url, shown, limit }: PostContext): Omit<PostItem, "author"> {
  const { id, kind, title, slug, content, excerpt, tags, coverID, publishedAt, createdAt, updatedAt, ...more } = post;
  const cover = coverID === null ? undefined : shown.get(coverID);
  return {
    kind: "post",
    key: keyOf("post", id),
    isPage: kind === "page",
    title: toLine(title),
    slug,
    content: toReferences(content, url, shown),
    excerpt,
    tags: acceptableTags(tags),
    publishedAt: toTime(publishedAt),
    createdAt: toTime(createdAt),
    updatedAt: toTime(updatedAt),
    visibility: limit(more.visibility),
    commentsOpen: more.commentsOpen,
    cover: cover ? keyOf("file", cover.fileID) : null,
    oldAddresses: [`${url}${pathOfPost(kind, slug)}`],
  };
}

export const pathOfPost = (kind: SitePost["kind"], slug: string): string =>
  kind === "page" ? `/${slug}` : `/blog/${slug}`;

const toTime = (time: string | null) => (time === null ? null : Date.parse(time) || null);

const embeds = /!\[\[(photo|album|file):(\d{1,15})\]\]/g;
const links = /\]\(\/(photos|albums|api\/v1\/files)\/(\d{1,15})(?:[-/?#][^\s()]{0,300})?\)/g;

/** The content with keys of the source where it names records of its site, which have other ids here. */
function toReferences(content: string, url: string, shown: PostContext["shown"]): string {
  const keyFor = (kind: string, id: string) => {
    if (kind.startsWith("album")) return keyOf("album", id);
    const photo = kind.startsWith("photo") ? shown.get(Number(id)) : undefined;
    return kind.startsWith("photo") ? (photo ? keyOf("file", photo.fileID) : `photo ${id}`) : keyOf("file", id);
  };
  const altOf = (kind: string, id: string) =>
    kind === "photo" ? toLine(shown.get(Number(id))?.altText ?? "", 500).replace(/[[\]\\]/g, "") : "";
  const embedded = content.replace(
    embeds,
    (_, kind: string, id: string) => `![${altOf(kind, id)}](${referenceTo(keyFor(kind, id))})`,
  );
  return (url === "" ? embedded : embedded.replaceAll(`](${url}/`, "](/")).replace(
    links,
    (_, kind: string, id: string) => `](${referenceTo(keyFor(kind, id))})`,
  );
}

export function toComment(
  { id, content, parentID, status, createdAt }: SiteComment,
  on: CommentItem["on"],
  author: CommentItem["author"],
): CommentItem {
  return {
    kind: "comment",
    key: keyOf("comment", id),
    on,
    parent: parentID === null ? null : keyOf("comment", parentID),
    author,
    content,
    createdAt: toTime(createdAt),
    isWaiting: status === "waiting",
    isHidden: status !== "visible" && status !== "waiting",
  };
}
