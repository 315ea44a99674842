import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { referenceTo } from "../../../src/content/blog/source-references.ts";
import { invalid } from "../../../src/platform/errors.ts";
import { readFrontMatter } from "../../../src/platform/front-matter.ts";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import { rewriteMarkdown } from "../../../src/platform/markdown/rewrite-markdown.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import { type Attachments, collectAttachments } from "../attachments.ts";
import { isHiddenFile, readText } from "../files.ts";
import { type Item, keyOf, listFiles, nameOf, note, type PostItem, publicIf, type ReportItem } from "../items.ts";
import type { SetTotal, SourceKind } from "../kind.ts";
import { isHidden } from "./addresses.ts";
import type { Context } from "./context.ts";
import { type Document, readDocument, sectionOf } from "./document.ts";
import { type Fields, listField, textField } from "./fields.ts";
import { changeShortcodes } from "./hugo.ts";
import { changeLiquid, changeLiquidInHTML } from "./jekyll.ts";
import { findLayout, isOfPeople, isTextOf, type Layout } from "./layouts.ts";
import { changeNote } from "./obsidian.ts";
import { createResolver, type Resolver } from "./resolve.ts";

/** A folder of texts in Markdown: of Hugo, Jekyll or Obsidian, or any other whose texts have a title. */
export const markdownKind: SourceKind = {
  kind: "markdown",
  title: null,
  alwaysHasPhotos: false,
  // A program is recognised by them, and no text of it is hidden.
  ownsHidden: true,
  recognise: async (files) => (await findLayout(files)) !== null,
  async *list(tree, _options, setTotal): AsyncGenerator<Item> {
    const { files: all, lines } = await listFiles(tree);
    yield* lines;
    const layout = await findLayout(all);
    if (!layout) throw invalid("Its texts are not those by which it was recognised.");
    const files = all.flatMap((file): Placed[] => {
      const isBelow = layout.root.every((name, index) => file.path[index] === name);
      return isBelow && !isHiddenFile(file) ? [{ file, path: file.path.slice(layout.root.length) }] : [];
    });
    const documents: Document[] = [];
    const named = new Set<string>();
    for (const placed of files) {
      if (!isTextOf(layout.program, placed.path)) continue;
      const { document, reason, isNeedless } = await readPlaced(placed, layout);
      const key = keyOf(placed.file);
      if (document) documents.push(document);
      if (document || reason) named.add(key);
      if (reason) yield { kind: isNeedless ? "note" : "refused", key, reason };
    }
    if (layout.program === "hugo") makePages(documents, layout.settings);
    // Translations follow what they translate: of texts with the same name, the first keeps it.
    documents.sort((one, other) => Number(one.language !== "") - Number(other.language !== ""));
    for (const item of itemsOf(files, documents, layout, setTotal)) {
      if (item.kind === "file") named.add(item.key);
      yield item;
    }
    const isSettings = ({ path }: TreeFile) => ofSettings.test(path.slice(layout.root.length).join("/"));
    yield* linesOf(all.filter((file) => !named.has(keyOf(file)) && !isSettings(file)));
  },
};

const longestText = 2 ** 23;
/** How many lines a text adds to the report at most. */
const mostNotes = 20;

type Placed = { file: TreeFile; path: string[] };

/** They say how the texts are read. */
const ofSettings = /^(?:(?:hugo|_?config)\.(?:toml|ya?ml|json)|config\/_default\/[^/]+|\.obsidian\/.+)$/;

/** What is left out, in few lines. */
function* linesOf(left: TreeFile[]): Generator<Item> {
  const shown = left.filter((file) => !isHiddenFile(file));
  const ofPeople = shown.filter((file) => isOfPeople(nameOf(file)));
  const other = shown.find((file) => !isOfPeople(nameOf(file)));
  const hidden = left.length - shown.length;
  if (ofPeople.length > 0)
    yield note("other files", `${ofPeople.length} pictures and files are not taken: no text uses them.`);
  if (other)
    yield note(
      "files of the program",
      `${shown.length - ofPeople.length} are not taken, such as ${keyOf(other)}: layouts, settings and scripts.`,
    );
  if (hidden > 0) yield note("hidden files", `${hidden} are not taken.`);
}

/** Where a section has the posts, a text outside of all sections is a page, as Hugo shows it. */
function makePages(documents: Document[], settings: Fields): void {
  const isAtTop = ({ path }: Document) => sectionOf(path, settings) === null;
  const isPost = ({ fields }: Document) => /^posts?$/i.test(textField(fields, "type", "layout"));
  const hasDate = ({ fields }: Document) => textField(fields, "date", "publishDate") !== "";
  if (!documents.some((one) => !one.isPage && !isAtTop(one) && hasDate(one))) return;
  for (const one of documents) if (isAtTop(one) && !isPost(one)) one.isPage = true;
}

const aboveList = "It is the text above a list, which this site does not have.";

type Read = { document?: Document; reason?: string; isNeedless?: boolean };

async function readPlaced({ file, path }: Placed, layout: Layout): Promise<Read> {
  const text = await readText(file, longestText).catch((error: unknown) => error as Error);
  if (typeof text !== "string") return { reason: text.message };
  const matter = readFrontMatter(text);
  const name = path.at(-1) ?? "";
  const { program } = layout;
  if (program === "jekyll" && !matter.hasFields) return {};
  if (program === "plain" && !matter.hasFields) return { reason: "It has no front matter.", isNeedless: true };
  if (program === "hugo" && /^_index\./i.test(name))
    return { reason: matter.body.trim() === "" ? "It has no text." : aboveList, isNeedless: true };
  if (program === "hugo" && isHidden(matter.fields)) return { reason: "Hugo makes no page of it.", isNeedless: true };
  if (program === "hugo" && matter.body.trim() === "" && textField(matter.fields, "layout") !== "")
    return { reason: "It has no text: its layout makes the page.", isNeedless: true };
  if (/\.html?$/i.test(name) && /\{%-?\s{0,20}(for|include|if|assign)\b/.test(matter.body))
    return { reason: "It is a template.", isNeedless: true };
  const document = readDocument(file, path, matter, layout);
  return { document, ...(matter.problem !== null && { reason: `${matter.problem} It becomes a draft.` }) };
}

function* itemsOf(files: Placed[], documents: Document[], layout: Layout, setTotal: SetTotal): Generator<Item> {
  const attachments = collectAttachments();
  const resolver = createResolver(files, documents, layout);
  const notes: ReportItem[] = [];
  const posts = documents.map((document) => toPost(document, { resolver, attachments, layout, notes }));
  // One who writes alone is the importer.
  const authors = new Map(
    documents.flatMap(({ author }) => (author === "" ? [] : [[slugOf(author) || author, author]])),
  );
  if (authors.size > 1)
    for (const [key, name] of authors) yield { kind: "person", key, username: key, displayName: name };
  else for (const post of posts) post.author = null;
  const used = files.filter(({ file }) => attachments.has(file));
  setTotal({ items: posts.length + used.length, bytes: used.reduce((sum, { file }) => sum + file.size, 0) });
  for (const { file, path } of used) yield attachments.itemOf(file, path, addressesOf(path, layout));
  yield* posts;
  if (layout.program === "hugo" || layout.program === "jekyll") yield* redirectsOf(documents);
  yield* notes;
}

/** A file at the top of the site had its path as its address. */
function addressesOf(path: string[], { program }: Layout): string[] {
  const shown = program === "hugo" ? (path[0] === "static" ? path.slice(1) : null) : program === "jekyll" ? path : null;
  return shown ? [`/${shown.map(encodeURIComponent).join("/")}`] : [];
}

function* redirectsOf(documents: Document[]): Generator<Item> {
  const tags = new Map(
    documents.flatMap(({ tags: all }) => all.map((tag) => [tag.toLowerCase().replace(/\s+/g, "-"), tag])),
  );
  for (const [name, tag] of tags)
    for (const folder of ["tags", "categories"])
      yield { kind: "redirect", key: `/${folder}/${encodeURIComponent(name)}/`, to: { tag } };
  yield { kind: "redirect", key: "/index.xml", to: { path: "/feed.xml" } };
}

type Deps = {
  resolver: Resolver;
  attachments: Attachments;
  layout: Layout;
  notes: ReportItem[];
};

function toPost(document: Document, deps: Deps): PostItem {
  const { attachments, layout } = deps;
  const context = contextOf(document, deps);
  const { text, tags } = contentOf(document, context, layout);
  const post: PostItem = {
    kind: "post",
    key: keyOf(document.file),
    isPage: document.isPage,
    title: document.title,
    slug: document.slug,
    content: text.trim(),
    excerpt: textField(document.fields, "description", "summary", "excerpt"),
    tags: [...new Set([...document.tags, ...tags])],
    publishedAt: document.publishedAt,
    createdAt: document.publishedAt,
    updatedAt: document.updatedAt,
    visibility: publicIf(!document.isPrivate),
    author: document.author === "" ? null : slugOf(document.author) || document.author,
    cover: coverOf(document, deps),
    oldAddresses: document.oldAddresses,
  };
  attachments.endPost(post);
  return post;
}

function contextOf(document: Document, { resolver, attachments, layout: { settings }, notes }: Deps): Context {
  const key = keyOf(document.file);
  const seen = new Set<string>();
  return {
    document,
    settings,
    linkTo(name) {
      const found = resolver.find(name, document);
      return found && "document" in found ? resolver.linkTo(found.document) : null;
    },
    referTo(name, use) {
      const found = resolver.find(name, document);
      return found && "file" in found ? referenceTo(attachments.use(found.file, use)) : null;
    },
    picturesIn: (folder) => resolver.picturesIn(folder, document),
    reference: (file) => referenceTo(attachments.use(file, "picture")),
    note(reason, kind = "note") {
      if (seen.has(reason) || seen.size >= mostNotes) return;
      seen.add(reason);
      notes.push({ kind, key: `${key} (${seen.size})`, reason });
    },
  };
}

function contentOf(document: Document, context: Context, { program }: Layout): { text: string; tags: string[] } {
  const rewrite = (url: string, use: "picture" | "link"): string => {
    if (url.startsWith("import:")) return url;
    const anchor = /#(.+)$/s.exec(url)?.[1];
    const link = context.linkTo(url);
    if (link) return anchor ? `${link}#post-${slugOf(anchor)}` : link;
    const file = context.referTo(url, use);
    if (!file && use === "picture" && !/^(https?:)?\/\//i.test(url))
      context.note(`${url.slice(0, 200)} is not in the source.`, "refused");
    return file ?? url;
  };
  if (document.isHTML) {
    const html = program === "jekyll" ? changeLiquidInHTML(document.body, context) : document.body;
    return { text: htmlToMarkdown(html, { rewrite }), tags: [] };
  }
  if (program === "obsidian") {
    const { text, tags } = changeNote(document.body, context);
    return { text: rewriteMarkdown(text, rewrite), tags };
  }
  const own = { hugo: changeShortcodes, jekyll: changeLiquid, plain: (text: string) => text }[program];
  return { text: rewriteMarkdown(own(document.body, context), rewrite), tags: [] };
}

/** What programs and themes call the picture of a text, and those that have fields of their own. */
const coverFields = "cover image featured_image feature_image featuredImage thumbnail banner cover_image".split(" ");
const nestedFields = "cover image header featured".split(" ");
const fieldsInThem = "image path src teaser overlay_image url".split(" ");

/** A field of many names, or a file beside the text whose name says it. */
function coverOf(document: Document, { resolver, attachments }: Deps): string | null {
  const { fields, path } = document;
  const nested = nestedFields.map((name) => fields[name]).find((one) => typeof one === "object" && one !== null);
  const inThem = nested && !Array.isArray(nested) ? textField(nested as Fields, ...fieldsInThem) : "";
  const given = textField(fields, ...coverFields) || inThem || listField(fields, "images")[0];
  const altText = nested ? textField(nested as Fields, "alt", "caption") : "";
  const found = given ? resolver.find(given.replace(/^!?\[\[|\]\]$/g, ""), document) : null;
  if (found && "file" in found) return attachments.use(found.file, "picture", altText);
  const beside = /^index\./i.test(path.at(-1) ?? "")
    ? resolver.picturesIn("", document).find((file) => /^(cover|feature|featured)\b/i.test(file.path.at(-1) ?? ""))
    : undefined;
  return beside ? attachments.use(beside, "picture") : null;
}
