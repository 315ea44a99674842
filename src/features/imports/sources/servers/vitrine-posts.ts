import type { Visibility } from "../../../../core/records/visibility.ts";
import type { Item, PostItem } from "../../item.ts";
import { referenceTo } from "../../references.ts";
import { acceptableTags } from "../../acceptable.ts";
import { toLine } from "../../texts.ts";
import type { VitrineClient, VitrinePost } from "./vitrine-client.ts";

/** The keys of records, so that texts can name them. */
export const keyOf = (kind: "album" | "comment" | "file" | "person" | "post", id: number | string): string =>
  `${kind} ${id}`;

/** What a photo shows, and what it is for those who cannot see it. */
type Shown = { fileID: number; altText: string };

type Site = {
  url: string;
  vitrine: VitrineClient;
  whose: string;
  /** By the ids of the photos. */
  shown: Map<number, Shown>;
  limit: (visibility: Visibility) => Visibility;
};

/** Posts and pages, oldest first, and the comments on them. */
export async function* listPosts({ url, vitrine, whose, shown, limit }: Site): AsyncGenerator<Item> {
  const people = new Set<string>();
  for (const kind of ["post", "page"] as const)
    for await (const post of vitrine.posts(whose, kind)) {
      const item = toPost(post, { url, shown, limit });
      yield item;
      if (!item.isPage) yield* listComments(vitrine, post.id, people);
    }
}

function toPost(post: VitrinePost, { url, shown, limit }: Pick<Site, "url" | "shown" | "limit">): PostItem {
  const { id, kind, title, slug, content, excerpt, tags, coverID, publishedAt, createdAt, updatedAt, ...more } = post;
  const cover = coverID === null ? undefined : shown.get(coverID);
  const path = kind === "page" ? `/${slug}` : `/blog/${slug}`;
  return {
    kind: "post",
    key: keyOf("post", id),
    isPage: kind === "page",
    title: toLine(title),
    slug,
    content: toReferences(content, url, shown),
    // The one that is sent may be the beginning of the content, which follows the content.
    excerpt: lettersOf(content).startsWith(lettersOf(excerpt)) ? "" : excerpt,
    tags: acceptableTags(tags),
    publishedAt: toTime(publishedAt),
    createdAt: toTime(createdAt),
    updatedAt: toTime(updatedAt),
    visibility: limit(more.visibility),
    commentsOpen: more.commentsOpen,
    author: null,
    cover: cover ? keyOf("file", cover.fileID) : null,
    oldAddresses: [`${url}${path}`],
  };
}

const toTime = (time: string | null) => (time === null ? null : Date.parse(time) || null);

const lettersOf = (text: string) => text.slice(0, 5000).replace(/[^\p{L}\p{N}]+/gu, "");

const embeds = /!\[\[(photo|album|file):(\d{1,15})\]\]/g;
const links = /\]\(\/(photos|albums|api\/v1\/files)\/(\d{1,15})(?:[-/?#][^\s()]{0,300})?\)/g;

/** The content with keys of the source where it names records of its site, which have other ids here. */
function toReferences(content: string, url: string, shown: Map<number, Shown>): string {
  const keyFor = (kind: string, id: string) => {
    if (kind.startsWith("album")) return keyOf("album", id);
    const photo = kind.startsWith("photo") ? shown.get(Number(id)) : undefined;
    return kind.startsWith("photo") ? (photo ? keyOf("file", photo.fileID) : `photo ${id}`) : keyOf("file", id);
  };
  const altOf = (kind: string, id: string) =>
    kind === "photo" ? toLine(shown.get(Number(id))?.altText ?? "", 500).replace(/[[\]\\]/g, "") : "";
  return content
    .replace(embeds, (_, kind: string, id: string) => `![${altOf(kind, id)}](${referenceTo(keyFor(kind, id))})`)
    .replaceAll(`](${url}/`, "](/")
    .replace(links, (_, kind: string, id: string) => `](${referenceTo(keyFor(kind, id))})`);
}

/** Those who wrote them come before them. Hidden ones wait for approval, so that nobody else sees them. */
async function* listComments(vitrine: VitrineClient, postID: number, people: Set<string>): AsyncGenerator<Item> {
  for await (const { id, content, parentID, status, author, createdAt } of vitrine.comments(postID)) {
    const person = keyOf("person", author.username);
    if (!people.has(person)) {
      people.add(person);
      yield { kind: "person", key: person, username: author.username, displayName: author.username };
    }
    yield {
      kind: "comment",
      key: keyOf("comment", id),
      post: keyOf("post", postID),
      parent: parentID === null ? null : keyOf("comment", parentID),
      author: { person },
      content,
      createdAt: toTime(createdAt),
      isWaiting: status !== "visible",
    };
  }
}
