import { type CommentItem, type PostItem } from "../items.ts";
import { referenceTo } from "../../../src/content/blog/source-references.ts";
import { readTime } from "../texts.ts";
import { toLine } from "../../../src/platform/text.ts";
import { recordKey, type SiteComment, type SitePost } from "./site.ts";

export type PostContext = {
  /** The address of the site; "" if it is not known. */
  url: string;
  /** What photos show, and what they are for those who cannot see them, by their ids. */
  shown: ReadonlyMap<number, { fileID: number; altText: string }>;
};

export function toPost(post: SitePost, { url, shown }: PostContext): PostItem & { oldAddresses: string[] } {
  const { id, kind, content, coverID, createdAt, updatedAt, publishedAt, ...same } = post;
  const cover = shown.get(coverID ?? 0);
  return {
    ...same,
    kind: "post",
    key: recordKey("post", id),
    isPage: kind === "page",
    content: toReferences(content, url, shown),
    publishedAt: readTime(publishedAt),
    createdAt: readTime(createdAt),
    updatedAt: readTime(updatedAt),
    cover: cover ? recordKey("file", cover.fileID) : null,
    oldAddresses: [`${url}${pathOfPost(kind, same.slug)}`],
  };
}

export const pathOfPost = (kind: SitePost["kind"], slug: string): string =>
  kind === "page" ? `/${slug}` : `/blog/${slug}`;

const embeds = /!\[\[(photo|album|file):(\d{1,15})\]\]/g;
const links = /\]\(\/(photos|albums|api\/v1\/files)\/(\d{1,15})(?:[-/?#][^\s()]{0,300})?\)/g;

/** The content with keys of the source where it names records of its site, which have other ids here. */
function toReferences(content: string, url: string, shown: PostContext["shown"]): string {
  const refer = (kind: string, id: string) => {
    const photo = shown.get(Number(id));
    if (kind.startsWith("album")) return referenceTo(recordKey("album", id));
    if (!kind.startsWith("photo")) return referenceTo(recordKey("file", id));
    return referenceTo(photo ? recordKey("file", photo.fileID) : `photo ${id}`);
  };
  const altOf = (kind: string, id: string) =>
    kind === "photo" ? toLine(shown.get(Number(id))?.altText ?? "", 500).replace(/[[\]\\]/g, "") : "";
  const embedded = content.replace(
    embeds,
    (_, kind: string, id: string) => `![${altOf(kind, id)}](${refer(kind, id)})`,
  );
  const local = url === "" ? embedded : embedded.replaceAll(`](${url}/`, "](/");
  return local.replace(links, (_, kind: string, id: string) => `](${refer(kind, id)})`);
}

export const toComment = (
  { id, content, parentID, status, createdAt }: SiteComment,
  on: CommentItem["on"],
  author: CommentItem["author"],
): CommentItem => ({
  kind: "comment",
  key: recordKey("comment", id),
  on,
  parent: parentID === null ? null : recordKey("comment", parentID),
  author,
  content,
  createdAt: readTime(createdAt),
  isWaiting: status === "waiting",
  isHidden: status !== "visible" && status !== "waiting",
});
