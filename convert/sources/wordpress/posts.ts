import type { Visibility } from "../../../src/core/records/visibility.ts";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import type { CommentItem, Item, PostItem } from "../../../src/features/imports/item.ts";
import { referenceTo } from "../../../src/features/imports/references.ts";
import { type Gallery, readBody } from "./body.ts";
import { plainTextFrom } from "../plain-text.ts";
import { readWXR, type WXRComment, type WXRItem } from "./read-wxr.ts";
import { absolute, galleryKey, isPost, isPublicPost, keyIn, shownIn, type Blog, lineKeyIn, rootOf } from "./survey.ts";

type Chosen = {
  visibility: Visibility;
  /** The keys of those that have pictures. */
  albums: Set<string>;
};

/** The second time that the exports are read: posts with their comments, in their order. */
export async function* listPosts(found: Blog, chosen: Chosen): AsyncGenerator<Item> {
  const seen = new Set<string>();
  const skipped = new Map<string, number>();
  const people = {
    logins: new Map([...found.authors.values()].map(({ id, login }) => [id, login])),
    creators: new Set(found.posts.map(({ creator }) => creator)),
  };
  for (const file of found.exports) {
    for await (const entry of readWXR(file)) {
      if (entry.kind !== "item" || !isPost(entry.item) || seen.has(entry.item.id)) continue;
      const { item } = entry;
      seen.add(item.id);
      yield toPost(found, item, chosen);
      yield* listComments(found, item, { people, skipped });
    }
  }
  for (const [kind, count] of skipped)
    yield { kind: "note", key: lineKeyIn(found, `comments: ${kind}`), reason: `${count} of this kind are left out.` };
}

function toPost(found: Blog, item: WXRItem, { visibility, albums }: Chosen): PostItem {
  const { html, galleries } = readBody(item.content, (id) => found.blocks.get(id));
  const withGalleries = showGalleries(found, item.id, { html, galleries, albums });
  const content = htmlToMarkdown(withGalleries, { rewrite: (url, use) => rewrite(found, url, use) });
  const time = timeOf(item.date) ?? timeOf(item.localDate);
  const isDraft = item.status === "draft" || item.status === "pending";
  const isHidden = !isPublicPost(item) && !isDraft && item.status !== "future";
  const isPage = item.type === "page";
  const cover = found.attachments.get(item.meta.get("_thumbnail_id") ?? "");
  const coverKey = cover ? found.uploads.find(cover.url) : null;
  return {
    kind: "post",
    key: keyIn(found, item.id),
    isPage,
    title: plainTextFrom(item.title),
    slug: decode(item.name),
    content,
    excerpt: plainTextFrom(item.excerpt),
    tags: tagsOf(item),
    publishedAt: isDraft ? null : (time ?? Date.now()),
    createdAt: time,
    updatedAt: timeOf(item.modified),
    visibility: isHidden || item.password !== "" ? "private" : visibility,
    commentsOpen: item.commentStatus !== "closed",
    author: item.creator === "" ? null : item.creator,
    cover: coverKey === null ? null : keyIn(found, `uploads/${coverKey}`),
    oldAddresses: [item.link, ...shortAddressesOf(found, item)],
  };
}

function shortAddressesOf(blog: Blog, { id, type }: WXRItem): string[] {
  if (!/^\d+$/.test(id)) return [];
  return (type === "page" ? ["p", "page_id"] : ["p"]).map((name) => `${rootOf(blog)}/?${name}=${id}`);
}

/** Pictures of a gallery that are not there stay where they were. */
function showGalleries(
  found: Blog,
  postID: string,
  { html, galleries, albums }: { html: string; galleries: Gallery[]; albums: Set<string> },
): string {
  return html.replace(/<p><img src="gallery:(\d{1,3})" alt=""><\/p>/g, (whole, number: string) => {
    const gallery = galleries[Number(number) - 1];
    if (!gallery) return "";
    if (albums.has(galleryKey(found, postID, gallery)))
      return whole.replace(`gallery:${number}`, referenceTo(galleryKey(found, postID, gallery)));
    const shown = shownIn(found, postID, gallery).flatMap((id) => found.attachments.get(id) ?? []);
    return shown.map(({ url, altText }) => `<p><img src="${quote(url)}" alt="${quote(altText)}"></p>`).join("\n");
  });
}

const quote = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Media become files of the site, and links to other pages of the old site lead to their paths, which redirect. */
function rewrite(found: Blog, url: string, use: "picture" | "link"): string {
  if (url.startsWith("import:") || url.startsWith("#") || url.startsWith("mailto:")) return url;
  const whole = absolute(found, url);
  const key = found.uploads.find(whole);
  if (key !== null) return referenceTo(keyIn(found, `uploads/${key}`), whole);
  const parsed = URL.parse(whole);
  const isOwn = parsed !== null && found.base !== null && hostOf(parsed) === hostOf(found.base);
  // What is not here can only be read there.
  if (!isOwn || use === "picture" || parsed.pathname.includes("/wp-content/")) return whole;
  return `${parsed.pathname}${parsed.search}${parsed.hash}`.replace(/^\/+/, "/");
}

const hostOf = ({ host }: URL) => host.replace(/^www\./, "");

function tagsOf({ terms }: WXRItem): string[] {
  const taken = terms.filter(
    ({ domain, nicename }) => domain === "post_tag" || (domain === "category" && nicename !== "uncategorized"),
  );
  return [...new Set(taken.map(({ name }) => plainTextFrom(name)))];
}

/** Who has which id, and who has written posts. */
type People = { logins: Map<string, string>; creators: Set<string> };

function* listComments(
  blog: Blog,
  item: WXRItem,
  { people, skipped }: { people: People; skipped: Map<string, number> },
): Generator<CommentItem> {
  const sorted = item.comments.toSorted((one, other) => (timeOf(one.date) ?? 0) - (timeOf(other.date) ?? 0));
  for (const comment of sorted) {
    const reason = whySkipped(comment);
    if (reason) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    else yield toComment(blog, item, comment, people);
  }
}

function whySkipped({ approved, type }: WXRComment): string | null {
  if (type !== "" && type !== "comment") return /^[\w-]{1,40}$/.test(type) ? type : "unknown";
  return approved === "1" || approved === "0" ? null : /^[\w-]{1,40}$/.test(approved) ? approved : "unknown";
}

function toComment(blog: Blog, item: WXRItem, comment: WXRComment, { logins, creators }: People): CommentItem {
  const login = comment.userID === "0" ? undefined : logins.get(comment.userID);
  return {
    kind: "comment",
    key: keyIn(blog, comment.id),
    on: { kind: "post", key: keyIn(blog, item.id) },
    parent: comment.parent === "" || comment.parent === "0" ? null : keyIn(blog, comment.parent),
    author:
      login !== undefined && creators.has(login)
        ? { person: login }
        : { name: plainTextFrom(comment.author), email: comment.email },
    content: plainTextFrom(comment.content),
    createdAt: timeOf(comment.date),
    isWaiting: comment.approved === "0",
  };
}

/** A time in UTC; null for none, which WordPress writes as zeros. */
function timeOf(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  const time = parts ? Date.parse(`${parts[1]}T${parts[2]}Z`) : Number.NaN;
  return Number.isNaN(time) || text.startsWith("0000") ? null : time;
}

function decode(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
