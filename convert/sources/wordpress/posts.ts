import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import { referenceTo } from "../../../src/content/blog/source-references.ts";
import { type CommentItem, createCounts, type Item, note, type PostItem, publicIf } from "../items.ts";
import { decode, plainTextFrom, readTime } from "../texts.ts";
import { type Gallery, readBody } from "./body.ts";
import { readWXR, type WXRComment, type WXRItem } from "./read-wxr.ts";
import { absolute, galleryKey, isPost, isPublicPost, keyIn, shownIn, type Blog, lineKeyIn, rootOf } from "./survey.ts";

/** The second time that the exports are read: posts with their comments, in their order. `albums` are the keys of those that have pictures. */
export async function* listPosts(found: Blog, albums: Set<string>): AsyncGenerator<Item> {
  const seen = new Set<string>();
  const skipped = createCounts();
  const people: People = {
    logins: new Map([...found.authors.values()].map(({ id, login }) => [id, login])),
    creators: new Set(found.posts.map(({ creator }) => creator)),
  };
  for (const file of found.exports) {
    for await (const entry of readWXR(file)) {
      if (entry.kind !== "item" || !isPost(entry.item) || seen.has(entry.item.id)) continue;
      const { item } = entry;
      seen.add(item.id);
      yield toPost(found, item, albums);
      for (const comment of inOrder(item.comments)) {
        const reason = whySkipped(comment);
        if (reason) skipped.add(reason);
        else yield toComment(found, item, comment, people);
      }
    }
  }
  for (const [kind, count] of skipped.entries())
    yield note(lineKeyIn(found, `comments: ${kind}`), `${count} of this kind are left out.`);
}

/** The oldest first, but each after the one that it replies to, whatever their clocks say. */
function inOrder(comments: WXRComment[]): WXRComment[] {
  const times = new Map(comments.map(({ id, date }) => [id, readTime(date) ?? 0]));
  const timeOf = ({ id, parent }: WXRComment) => Math.max(times.get(id) ?? 0, times.get(parent) ?? 0);
  return comments.toSorted((one, other) => timeOf(one) - timeOf(other) || (one.id === other.parent ? -1 : 0));
}

function toPost(found: Blog, item: WXRItem, albums: Set<string>): PostItem {
  const { html, galleries } = readBody(item.content, (id) => found.blocks.get(id));
  const withGalleries = showGalleries(found, item.id, { html, galleries, albums });
  const content = htmlToMarkdown(withGalleries, { rewrite: (url, use) => rewrite(found, url, use) });
  const time = readTime(item.date) ?? readTime(item.localDate);
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
    updatedAt: readTime(item.modified),
    visibility: publicIf(!isHidden && item.password === ""),
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
    return shown
      .map(({ url, altText }) => `<p><img src="${Bun.escapeHTML(url)}" alt="${Bun.escapeHTML(altText)}"></p>`)
      .join("\n");
  });
}

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
    createdAt: readTime(comment.date),
    isWaiting: comment.approved === "0",
  };
}
