import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { referenceTo } from "../../../src/content/blog/source-references.ts";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import { rewriteMarkdown } from "../../../src/platform/markdown/rewrite-markdown.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import { type Attachments, collectAttachments } from "../attachments.ts";
import { tryHead } from "../files.ts";
import {
  addTo,
  type Item,
  keyOf,
  listFiles,
  nameOf,
  note,
  type PostItem,
  publicIf,
  refuse,
  type ReportItem,
  toFile,
} from "../items.ts";
import type { SourceKind } from "../kind.ts";
import { readTime } from "../texts.ts";
import type { Note, Part } from "./cards.ts";
import { findExports, type GhostData, type GhostPost, readExport } from "./export.ts";
import { changeCards } from "./html-cards.ts";
import { lexicalParts } from "./lexical.ts";
import { type GhostMedia, indexMedia } from "./media.ts";
import { mobiledocParts } from "./mobiledoc.ts";

/** A blog of Ghost: its export, and its `content` folder if that was given, too. */
export const ghostKind: SourceKind = {
  kind: "ghost",
  title: "Ghost",
  alwaysHasPhotos: false,
  async recognise(files) {
    for (const file of await findExports(files)) if (await readExport(file).catch(() => null)) return true;
    return false;
  },
  async *list(tree, _options, setTotal): AsyncGenerator<Item> {
    const { files, lines } = await listFiles(tree);
    yield* lines;
    const exports = await findExports(files);
    const media = indexMedia(files);
    const attachments = collectAttachments();
    const bytes = media.files.reduce((sum, { file }) => sum + file.size, 0);
    let items = media.files.length;
    for (const file of exports) {
      const data = await readExport(file).catch(() => null);
      items += data ? data.posts.length + data.tags.length : 0;
      setTotal({ items, bytes });
      if (!data) yield refuse(keyOf(file), "It is not an export of Ghost.");
      else yield* itemsOf(data, { media, attachments, ...indexData(data) });
      const have = data?.lost === 1 ? "has" : "have";
      if (data && data.lost > 0)
        yield refuse(keyOf(file), `${data.lost} of its posts ${have} not the form that Ghost writes.`);
    }
    for (const one of media.files)
      if (!attachments.has(one.file)) yield attachments.itemOf(one.file, one.path, one.oldAddresses);
    const named = new Set([...exports, ...media.files.map(({ file }) => file), ...media.smaller]);
    for (const file of files) {
      if (!(await isMembers(file))) continue;
      named.add(file);
      yield toFile(file, { path: [nameOf(file)], isPublic: false });
    }
    if (media.smaller.length > 0)
      yield note("smaller pictures", `${media.smaller.length} that Ghost has made of others are not taken.`);
    const [other, ...more] = files.filter((file) => !named.has(file));
    if (other) yield note("other files", `${more.length + 1} are not taken, such as ${keyOf(other)}.`);
  },
};

/** Larger than the Markdown of any post. */
const longestText = 4_000_000;

type Context = { media: GhostMedia; attachments: Attachments } & ReturnType<typeof indexData>;

/** What posts need to know of each other and of the rest of an export. */
function indexData({ posts, posts_tags, posts_authors, posts_meta, tags }: GhostData) {
  return {
    /** Where the posts are now, by their slugs. */
    addresses: new Map(
      posts.flatMap((post) => {
        const slug = slugOf(post.slug ?? "");
        const address = `${isPageOf(post) ? "" : "/blog"}/${encodeURIComponent(slug)}`;
        return slug ? [[post.slug ?? "", address] as const] : [];
      }),
    ),
    tags: new Map(tags.map((tag) => [tag.id, tag])),
    tagsOf: byPost(posts_tags),
    authorsOf: byPost(posts_authors),
    metaOf: byPost(posts_meta),
  };
}

/** Rows in their order, by the posts to which they belong. */
function byPost<Row extends { post_id: string; sort_order?: number | null | undefined }>(rows: Row[]) {
  const lists = new Map<string, Row[]>();
  for (const row of rows.toSorted((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0)))
    addTo(lists, row.post_id, row);
  return (post: string): Row[] => lists.get(post) ?? [];
}

const isPageOf = ({ type, page }: GhostPost): boolean => type === "page" || page === true || page === 1;

/** Everything that a post names comes before it. */
function* itemsOf(data: GhostData, context: Context): Generator<Item> {
  const { media, attachments } = context;
  const notes: ReportItem[] = [];
  const posts = data.posts.map((post) => toItem(post, context, notes));
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

function toItem(post: GhostPost, context: Context, notes: ReportItem[]): PostItem {
  const { id: key, slug } = post;
  const seen = new Set<string>();
  const addNote: Note = (reason, kind = "note") => {
    if (!seen.has(reason)) notes.push({ kind, key: `${slug || key} (${seen.size + 1})`, reason });
    seen.add(reason);
  };
  const isPublic = post.status !== "sent" && (post.visibility ?? "public") === "public";
  const isDraft = post.status !== "published" && post.status !== "scheduled" && post.status !== "sent";
  const altText = post.feature_image_alt || context.metaOf(key)[0]?.feature_image_alt || "";
  const item: PostItem = {
    kind: "post",
    key,
    isPage: isPageOf(post),
    title: post.title ?? "",
    slug: slug ?? "",
    content: contentOf(post, context, addNote),
    excerpt: post.custom_excerpt ?? "",
    tags: context.tagsOf(key).flatMap(({ tag_id }) => {
      const tag = context.tags.get(tag_id);
      return tag && !isInternal(tag.name, tag.visibility) ? [tag.name] : [];
    }),
    publishedAt: isDraft ? null : (readTime(post.published_at) ?? readTime(post.created_at) ?? Date.now()),
    createdAt: readTime(post.created_at),
    updatedAt: readTime(post.updated_at),
    visibility: publicIf(isPublic),
    author: context.authorsOf(key)[0]?.author_id ?? post.author_id ?? null,
    cover: coverOf(post, altText, context, addNote),
    oldAddresses: slug ? [`/${slug}/`] : [],
  };
  context.attachments.endPost(item);
  return item;
}

function contentOf(post: GhostPost, context: Context, addNote: Note): string {
  const rewrite = (url: string, use: "picture" | "link") => addressOf(url, use, context);
  const parts = partsOf(post, addNote).map((part) =>
    "html" in part
      ? htmlToMarkdown(part.html, { rewrite, change: changeCards(addNote) })
      : rewriteMarkdown(part.markdown.trim(), rewrite),
  );
  const content = parts.filter((part) => part !== "").join("\n\n");
  if (content.includes("__GHOST_URL__/content/"))
    addNote("Some of its pictures or files are not in the source: add the content folder of Ghost.", "refused");
  if (post.codeinjection_head || post.codeinjection_foot) addNote("Code that it adds to its page is not taken.");
  return content.replaceAll("__GHOST_URL__/", "/").replaceAll("__GHOST_URL__", "/");
}

/** The HTML that Ghost has made of a post; if there is none, what its editor has stored. */
function partsOf({ html, lexical, mobiledoc }: GhostPost, addNote: Note): Part[] {
  if (html?.trim()) return [{ html }];
  for (const [text, read] of [
    [lexical, lexicalParts],
    [mobiledoc, mobiledocParts],
  ] as const) {
    if (!text) continue;
    try {
      const parts = joinParts(read(JSON.parse(text), addNote), addNote);
      if (parts.length > 0) return parts;
    } catch {
      addNote("Its text cannot be read.", "refused");
    }
  }
  return [];
}

/** HTML that stands together is read together. A post may name the same card again and again: it ends where it is too long. */
function joinParts(parts: Part[], addNote: Note): Part[] {
  const all: Part[] = [];
  let length = 0;
  for (const part of parts) {
    length += ("html" in part ? part.html : part.markdown).length;
    if (length > longestText) {
      addNote(`Its text has more than ${longestText.toLocaleString("en")} characters of HTML.`, "refused");
      break;
    }
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

function coverOf(
  post: GhostPost,
  altText: string,
  { media: files, attachments }: Context,
  addNote: Note,
): string | null {
  const url = post.feature_image;
  if (!url) return null;
  const found = files.find(url);
  const isOwn = url.startsWith("__GHOST_URL__") || /\/content\/(images|media|files)\//.test(url);
  if (!found)
    addNote(
      isOwn
        ? "Its cover is not in the source: add the content folder of Ghost."
        : `Its cover lies elsewhere, and is not taken: ${url.slice(0, 500)}`,
      isOwn ? "refused" : "note",
    );
  return found ? attachments.use(found, "picture", altText) : null;
}

function* leftOut(data: GhostData): Generator<Item> {
  const counts = { newsletters: data.newsletters.length, products: data.products.length, members: data.members.length };
  for (const [name, count] of Object.entries(counts))
    if (count > 0) yield note(name, `${count} are in the export: this site has none.`);
  const isCode = ({ key, value }: { key: string; value?: unknown }) =>
    key.startsWith("codeinjection_") && typeof value === "string" && value !== "";
  if (data.settings.some(isCode)) yield note("code injection", "Code that the blog adds to all pages is not taken.");
}

/** The addresses of the members are for nobody but the owner, who may want to write to them. */
async function isMembers(file: TreeFile): Promise<boolean> {
  if (!/\.csv$/i.test(nameOf(file))) return false;
  const [head = ""] = (await tryHead(file, 1000)).split("\n");
  return /\bemail\b/.test(head) && /\b(labels|subscribed_to_emails|complimentary_plan|note)\b/.test(head);
}
