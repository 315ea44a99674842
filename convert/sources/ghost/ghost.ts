import type { Visibility } from "../../../src/core/records/visibility.ts";
import { isUnusable, type Tree, type TreeFile } from "../../../src/platform/archives/tree.ts";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import { rewriteMarkdown } from "../../../src/platform/markdown/rewrite-markdown.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import type { Item, PostItem, Total } from "../../../src/features/imports/item.ts";
import { referenceTo } from "../../../src/features/imports/references.ts";
import { type Attachments, collectAttachments } from "../attachments.ts";
import { readHead } from "../read-text.ts";
import { type SourceKind, sourceWithTotal } from "../kind.ts";
import type { Note, Part } from "./cards.ts";
import { findExports, type GhostData, type GhostPost, readExport, readTime } from "./export.ts";
import { changeCards } from "./html-cards.ts";
import { lexicalParts } from "./lexical.ts";
import { type GhostMedia, indexMedia } from "./media.ts";
import { mobiledocParts } from "./mobiledoc.ts";

/** A blog of Ghost: its export, and its `content` folder if that was given, too. */
export const ghostKind: SourceKind = {
  kind: "ghost",
  title: "Ghost",
  alwaysHasPhotos: false,
  recognise: async (files) => {
    for (const file of await findExports(files)) if (await readExport(file).catch(() => null)) return true;
    return false;
  },
  open: (tree, name, { visibility }) => sourceWithTotal("ghost", name, (tell) => listItems(tree, visibility, tell)),
};

/** Larger than the Markdown of any post. */
const longestText = 4_000_000;

type Refused = Extract<Item, { kind: "refused" | "note" }>;
const refused = (key: string, reason: string): Refused => ({ kind: "refused", key, reason });
const noted = (key: string, reason: string): Refused => ({ kind: "note", key, reason });

async function* listItems(tree: Tree, visibility: Visibility, tell: (total: Total) => void): AsyncGenerator<Item> {
  const files: TreeFile[] = [];
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) yield refused(entry.path, entry.reason);
    else if (!("isDirectory" in entry)) files.push(entry);
  }
  const exports = await findExports(files);
  const media = indexMedia(files);
  const attachments = collectAttachments(visibility);
  const bytes = media.files.reduce((sum, { file }) => sum + file.size, 0);
  let items = media.files.length;
  for (const file of exports) {
    const data = await readExport(file).catch(() => null);
    items += data ? data.posts.length + data.tags.length : 0;
    tell({ items, bytes });
    if (!data) yield refused(file.path.join("/"), "It is not an export of Ghost.");
    else yield* itemsOf(data, { media, attachments, visibility, addresses: addressesIn(data) });
    if (data && data.lost > 0)
      yield refused(
        file.path.join("/"),
        `${data.lost} of its posts ${data.lost === 1 ? "has" : "have"} not the form that Ghost writes.`,
      );
  }
  for (const one of media.files)
    if (!attachments.has(one.file)) yield attachments.itemOf(one.file, one.path, one.oldAddresses);
  const named = new Set([...exports, ...media.files.map(({ file }) => file), ...media.smaller]);
  for await (const { file, item } of membersIn(files)) {
    named.add(file);
    yield item;
  }
  if (media.smaller.length > 0)
    yield noted("smaller pictures", `${media.smaller.length} that Ghost has made of others are not taken.`);
  const others = files.filter((file) => !named.has(file));
  if (others.length > 0)
    yield noted("other files", `${others.length} are not taken, such as ${others[0]?.path.join("/")}.`);
}

type Context = {
  media: GhostMedia;
  attachments: Attachments;
  visibility: Visibility;
  /** Where the posts are now, by their slugs. */
  addresses: Map<string, string>;
};

const isPageOf = ({ type, page }: GhostPost): boolean => type === "page" || page === true || page === 1;

const addressesIn = ({ posts }: GhostData): Map<string, string> =>
  new Map(
    posts.flatMap((post) => {
      const slug = slugOf(post.slug ?? "");
      return slug ? [[post.slug ?? "", `${isPageOf(post) ? "" : "/blog"}/${encodeURIComponent(slug)}`] as const] : [];
    }),
  );

/** Everything that a post names comes before it. */
function* itemsOf(data: GhostData, context: Context): Generator<Item> {
  const { media, attachments } = context;
  const notes: Refused[] = [];
  const posts = data.posts.map((post) => toItem(post, data, context, notes));
  const authors = new Set(posts.map(({ author }) => author));
  for (const { id, name, slug } of data.users) {
    if (!authors.has(id)) continue;
    yield { kind: "person", key: id, username: slug || name || id, displayName: name ?? "" };
    if (slug) yield { kind: "redirect", key: `/author/${slug}/`, to: { path: `/people/${encodeURIComponent(slug)}` } };
  }
  for (const one of media.files)
    if (attachments.has(one.file)) yield attachments.itemOf(one.file, one.path, one.oldAddresses);
  yield* posts;
  for (const { name, slug, visibility } of data.tags)
    if (slug && !isInternal(name, visibility)) yield { kind: "redirect", key: `/tag/${slug}/`, to: { tag: name } };
  yield { kind: "redirect", key: "/rss/", to: { path: "/feed.xml" } };
  yield* notes;
  yield* leftOut(data);
}

const isInternal = (name: string, visibility: string | null | undefined) =>
  visibility === "internal" || name.startsWith("#");

function toItem(post: GhostPost, data: GhostData, context: Context, notes: Refused[]): PostItem {
  const slug = post.slug ?? "";
  const key = post.id;
  const seen = new Set<string>();
  const note: Note = (reason, kind = "note") => {
    if (!seen.has(reason)) notes.push({ kind, key: `${slug || key} (${seen.size + 1})`, reason });
    seen.add(reason);
  };
  const isPublic = post.status !== "sent" && (post.visibility ?? "public") === "public";
  const isDraft = post.status !== "published" && post.status !== "scheduled" && post.status !== "sent";
  const item: PostItem = {
    kind: "post",
    key,
    isPage: isPageOf(post),
    title: post.title ?? "",
    slug,
    content: contentOf(post, context, note),
    excerpt: post.custom_excerpt ?? "",
    tags: orderedOf(data.posts_tags, key).flatMap(({ tag_id }) => {
      const tag = tagsOf(data).get(tag_id);
      return tag && !isInternal(tag.name, tag.visibility) ? [tag.name] : [];
    }),
    publishedAt: isDraft ? null : (readTime(post.published_at) ?? readTime(post.created_at) ?? Date.now()),
    createdAt: readTime(post.created_at),
    updatedAt: readTime(post.updated_at),
    visibility: isPublic ? context.visibility : "private",
    commentsOpen: true,
    author: orderedOf(data.posts_authors, key)[0]?.author_id ?? post.author_id ?? null,
    cover: null,
    oldAddresses: slug ? [`/${slug}/`] : [],
  };
  item.cover = coverOf(post, altTextOf(post, data), context, note);
  context.attachments.endPost(item);
  return item;
}

/** Indexes of an export, which are made once. */
const indexes = new WeakMap<object, Map<string, never[]>>();

function orderedOf<Row extends { post_id: string; sort_order?: number | null | undefined }>(
  all: Row[],
  post: string,
): Row[] {
  let index = indexes.get(all) as Map<string, Row[]> | undefined;
  if (!index) {
    index = Map.groupBy(all, ({ post_id }) => post_id);
    indexes.set(all, index as Map<string, never[]>);
  }
  return (index.get(post) ?? []).toSorted((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0));
}

const tagIndexes = new WeakMap<GhostData, Map<string, GhostData["tags"][number]>>();

function tagsOf(data: GhostData): Map<string, GhostData["tags"][number]> {
  const index = tagIndexes.get(data) ?? new Map(data.tags.map((tag) => [tag.id, tag]));
  tagIndexes.set(data, index);
  return index;
}

function contentOf(post: GhostPost, context: Context, note: Note): string {
  const rewrite = (url: string, use: "picture" | "link") => addressOf(url, use, context);
  const parts = partsOf(post, note).map((part) =>
    "html" in part
      ? htmlToMarkdown(part.html, { rewrite, change: changeCards(note) })
      : rewriteMarkdown(part.markdown.trim(), rewrite),
  );
  const content = parts.filter((part) => part !== "").join("\n\n");
  const lost = media(post) && content.includes("__GHOST_URL__/content/");
  if (lost) note("Some of its pictures or files are not in the source: add the content folder of Ghost.", "refused");
  if (post.codeinjection_head || post.codeinjection_foot) note("Code that it adds to its page is not taken.");
  return content.replaceAll("__GHOST_URL__/", "/").replaceAll("__GHOST_URL__", "/");
}

const media = ({ html, lexical, mobiledoc }: GhostPost) => html || lexical || mobiledoc;

/** The HTML that Ghost has made of a post; if there is none, what its editor has stored. */
function partsOf({ html, lexical, mobiledoc }: GhostPost, note: Note): Part[] {
  if (html?.trim()) return [{ html }];
  for (const [text, read] of [
    [lexical, lexicalParts],
    [mobiledoc, mobiledocParts],
  ] as const) {
    if (!text) continue;
    try {
      const parts = joined(upToLongest(read(JSON.parse(text), note), note));
      if (parts.length > 0) return parts;
    } catch {
      note("Its text cannot be read.", "refused");
    }
  }
  return [];
}

/** A post may name the same card again and again. */
function upToLongest(parts: Part[], note: Note): Part[] {
  let length = 0;
  const end = parts.findIndex((part) => (length += ("html" in part ? part.html : part.markdown).length) > longestText);
  if (end < 0) return parts;
  note(`Its text has more than ${longestText.toLocaleString("en")} characters of HTML.`, "refused");
  return parts.slice(0, end);
}

/** HTML that stands together is read together. */
function joined(parts: Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last && "html" in last && "html" in part) last.html += part.html;
    else all.push({ ...part });
  }
  return all;
}

/** A file or a post of the source, or the address as it is. */
function addressOf(url: string, use: "picture" | "link", { media: files, attachments, addresses }: Context): string {
  const found = files.find(url);
  if (found) return referenceTo(attachments.use(found, use));
  const [, slug, anchor = ""] = /^__GHOST_URL__\/([^/?#]{1,300})\/?(#.{0,300})?$/.exec(url) ?? [];
  const address = slug ? addresses.get(slug) : undefined;
  return address ? address + (anchor === "" ? "" : `#post-${anchor.slice(1)}`) : url;
}

const altTextOf = (post: GhostPost, { posts_meta }: GhostData): string =>
  post.feature_image_alt || orderedOf(posts_meta, post.id)[0]?.feature_image_alt || "";

function coverOf(post: GhostPost, altText: string, { media: files, attachments }: Context, note: Note): string | null {
  const url = post.feature_image;
  if (!url) return null;
  const found = files.find(url);
  const isOwn = url.startsWith("__GHOST_URL__") || /\/content\/(images|media|files)\//.test(url);
  if (!found)
    note(
      isOwn
        ? "Its cover is not in the source: add the content folder of Ghost."
        : `Its cover lies elsewhere, and is not taken: ${url.slice(0, 500)}`,
      isOwn ? "refused" : "note",
    );
  return found ? attachments.use(found, "picture", altText) : null;
}

function* leftOut(data: GhostData): Generator<Refused> {
  const counts = { newsletters: data.newsletters.length, products: data.products.length, members: data.members.length };
  for (const [name, count] of Object.entries(counts))
    if (count > 0) yield noted(name, `${count} are in the export: this site has none.`);
  const isCode = ({ key, value }: { key: string; value?: unknown }) =>
    key.startsWith("codeinjection_") && typeof value === "string" && value !== "";
  if (data.settings.some(isCode)) yield noted("code injection", "Code that the blog adds to all pages is not taken.");
}

/** The addresses of the members are for nobody but the owner, who may want to write to them. */
async function* membersIn(files: TreeFile[]): AsyncGenerator<{ file: TreeFile; item: Item }> {
  for (const file of files) {
    const name = file.path.at(-1) ?? "";
    if (!/\.csv$/i.test(name)) continue;
    const start = await readHead(file, 1000).catch(() => Buffer.alloc(0));
    const head = start.toString().split("\n")[0] ?? "";
    if (!/\bemail\b/.test(head) || !/\b(labels|subscribed_to_emails|complimentary_plan|note)\b/.test(head)) continue;
    const { size, modifiedAt, open } = file;
    const rest = { size, modifiedAt, open, visibility: "private" as const, photo: null, albums: [] };
    yield { file, item: { kind: "file", key: file.path.join("/"), path: [name], ...rest } };
  }
}
