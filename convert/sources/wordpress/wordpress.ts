import type { Visibility } from "../../../src/core/records/visibility.ts";
import type { Tree } from "../../../src/platform/archives/tree.ts";
import type { FileItem, Item, RedirectItem, Total } from "../../../src/features/imports/item.ts";
import { type SourceKind, type SourceWish, sourceWithTotal } from "../kind.ts";
import { isWXR } from "./read-wxr.ts";
import { plainTextFrom } from "../plain-text.ts";
import { listPosts } from "./posts.ts";
import {
  absolute,
  type Attachment,
  type Blog,
  galleryKey,
  isXML,
  keyIn,
  lineKeyIn,
  rootOf,
  shownIn,
  survey,
} from "./survey.ts";

const filesTried = 100;

/** Exports of WordPress, in one or several files, with or without the folder of its uploads. */
export const wordpressKind: SourceKind = {
  kind: "wordpress",
  title: "WordPress",
  alwaysHasPhotos: true,
  async recognise(files) {
    const texts = files.filter(isXML).toSorted((one, other) => one.path.length - other.path.length);
    for (const file of texts.slice(0, filesTried)) if (await isWXR(file)) return true;
    return false;
  },
  open: (tree, name, { visibility, fetch }) =>
    sourceWithTotal("wordpress", name, (tell) => listItems(tree, visibility, { fetch, tell })),
};

async function* listItems(
  tree: Tree,
  visibility: Visibility,
  { fetch, tell }: { fetch: SourceWish["fetch"]; tell: (total: Total) => void },
): AsyncGenerator<Item> {
  const { blogs, unusable, strange } = await survey(tree, fetch);
  const plans = new Map(blogs.map((blog) => [blog, planMedia(blog)] as const));
  tell(sum([...plans].map(([blog, plan]) => totalOf(blog, plan))));
  for (const { key, reason } of unusable) yield { kind: "refused", key, reason };
  yield* listPeople(blogs);
  for (const [blog, plan] of plans) {
    for (const { key, name, isPublic } of plan.albums)
      yield {
        kind: "album",
        key,
        name,
        description: "",
        parent: null,
        visibility: isPublic ? visibility : "private",
      };
    yield* listFiles(blog, plan, visibility);
    yield* listPosts(blog, { visibility, albums: new Set(plan.albums.map(({ key }) => key)) });
    yield* listRedirects(blog);
    yield* listRest(blog, plan);
  }
  for (const { path, count } of strange)
    yield {
      kind: "note",
      key: path.join("/") || "other files",
      reason: `${count} ${count === 1 ? "file belongs" : "files belong"} to none of these blogs.`,
    };
}

/** Blogs of a network have the same people. */
function* listPeople(blogs: Blog[]): Generator<Item> {
  const names = new Map<string, string>();
  for (const { posts, authors } of blogs)
    for (const { creator } of posts) if (creator !== "") names.set(creator, authors.get(creator)?.name ?? creator);
  for (const [login, name] of names) yield { kind: "person", key: login, username: login, displayName: name };
}

type Plan = {
  albums: { key: string; name: string; isPublic: boolean }[];
  /** The files that are taken, by their keys. */
  files: Map<string, { attachment: Attachment | null; isPublic: boolean; places: Record<string, number> }>;
  missing: Attachment[];
};

/** What of the uploads is taken: everything that WordPress lists, or that a post shows. A picture is public if a public post has it. */
function planMedia(found: Blog): Plan {
  const { uploads, attachments } = found;
  const plan: Plan = { albums: [], files: new Map(), missing: [] };
  const take = (key: string, isPublic: boolean) => {
    const file = plan.files.get(key) ?? { attachment: null, isPublic: false, places: {} };
    plan.files.set(key, { ...file, isPublic: file.isPublic || isPublic });
    return plan.files.get(key) as NonNullable<ReturnType<typeof plan.files.get>>;
  };
  const made = new Set<string>();
  const publicPosts = new Set(found.posts.filter(({ isPublic }) => isPublic).map(({ id }) => id));
  for (const attachment of attachments.values()) {
    const key = uploads.find(attachment.url);
    if (key === null) plan.missing.push(attachment);
    else take(key, publicPosts.has(attachment.parent)).attachment ??= attachment;
  }
  const keyOf = (id: string) => {
    const attachment = attachments.get(id);
    return attachment ? uploads.find(attachment.url) : null;
  };
  for (const { id, title, isPublic, galleries, cover, urls } of found.posts) {
    const shown = urls.flatMap((url) => uploads.find(absolute(found, url)) ?? []);
    for (const key of [...shown, keyOf(cover)]) if (key !== null) take(key, isPublic);
    for (const [index, gallery] of galleries.entries()) {
      const keys = [...new Set(shownIn(found, id, gallery).flatMap((one) => keyOf(one) ?? []))];
      const album = galleryKey(found, id, gallery);
      for (const [place, key] of keys.entries()) take(key, isPublic).places[album] = place;
      const name = (title || "Gallery").slice(0, 190);
      // A post may show the same gallery twice.
      if (keys.length > 0 && !made.has(album))
        plan.albums.push({ key: album, name: index === 0 ? name : `${name} (${index + 1})`, isPublic });
      made.add(album);
    }
  }
  return plan;
}

function totalOf({ posts, commentCount, terms, uploads }: Blog, { albums, files }: Plan): Total {
  return {
    items: posts.length + commentCount + terms.size + albums.length + files.size,
    bytes: [...files.keys()].reduce((sum, key) => sum + (uploads.get(key)?.size ?? 0), 0),
  };
}

const sum = (totals: Total[]): Total => ({
  items: totals.reduce((all, { items }) => all + items, 0),
  bytes: totals.reduce((all, { bytes }) => all + bytes, 0),
});

function* listFiles(blog: Blog, plan: Plan, chosen: Visibility): Generator<FileItem> {
  const { uploads, folder, site } = blog;
  const top = `/wp-content/uploads/${site === null ? "" : `sites/${site}/`}`;
  for (const [key, { attachment, isPublic, places }] of plan.files) {
    const file = uploads.get(key);
    if (!file) continue;
    const visibility = isPublic ? chosen : "private";
    const { size, modifiedAt, open } = file;
    yield {
      kind: "file",
      key: keyIn(blog, `uploads/${key}`),
      name: [...folder, "uploads", key].join("/"),
      path: [...folder, ...key.split("/")],
      size,
      modifiedAt,
      open,
      ...("url" in file && { version: `at ${file.url as string}` }),
      visibility,
      photo: { ...detailsOf(attachment), visibility },
      albums: Object.keys(places),
      positions: places,
      oldAddresses: [key, ...uploads.sizesOf(key)]
        .map((one) => `${top}${one.split("/").map(encodeURIComponent).join("/")}`)
        .concat(attachment ? [attachment.url, attachment.link, `${rootOf(blog)}/?attachment_id=${attachment.id}`] : []),
    };
  }
}

function detailsOf(attachment: Attachment | null): NonNullable<FileItem["photo"]> {
  if (!attachment) return {};
  const title = attachment.title.slice(0, 200);
  const description = textOf(attachment.content) || textOf(attachment.excerpt);
  return {
    ...(title !== "" && { title }),
    ...(description !== "" && { description }),
    ...(attachment.altText !== "" && { altText: attachment.altText.slice(0, 1000) }),
  };
}

const textOf = (html: string) => plainTextFrom(html).slice(0, 20_000);

function* listRedirects(blog: Blog): Generator<RedirectItem> {
  const terms = [...blog.terms.values()].slice(0, 20_000);
  const root = rootOf(blog);
  for (const feed of ["feed", "feed/rss2", "feed/atom", "feed/rdf"])
    yield { kind: "redirect", key: `${root}/${feed}`, to: { path: "/blog/feed.xml" } };
  const parents = new Map(terms.filter(({ domain }) => domain === "category").map((one) => [one.nicename, one.parent]));
  for (const { domain, nicename, name } of terms) {
    const steps = [nicename];
    let above = domain === "category" ? parents.get(nicename) : undefined;
    for (; above && steps.length < 8; above = parents.get(above)) steps.unshift(above);
    for (const path of new Set([steps.join("/"), nicename]))
      yield { kind: "redirect", key: `${root}/${domain}/${path}`, to: { tag: name } };
  }
}

/** What is not taken, in few lines. */
function* listRest(blog: Blog, { files, missing }: Plan): Generator<Item> {
  const { others, uploads, attachments, blocks } = blog;
  const note = (key: string, reason: string): Item => ({ kind: "note", key: lineKeyIn(blog, key), reason });
  for (const [type, count] of others) yield note(type, `${count} of this kind: there is nothing like it here.`);
  if (blocks.size > 0)
    yield note("wp_block", `${blocks.size} of this kind: their texts are in the posts that show them.`);
  if (blog.repeated > 0) yield note("repeated", `${blog.repeated} are in the export more than once, and taken once.`);
  if (uploads.size > 0)
    for (const { url } of missing)
      yield { kind: "refused", key: url, reason: "Its file is not in the folder of uploads." };
  const originals = uploads.originals();
  const left = originals.filter((key) => !files.has(key));
  if (left.length > 0)
    yield note(
      `uploads/${left[0]}`,
      `It, and ${left.length - 1} other files, are neither listed by WordPress nor shown by a post.`,
    );
  const smaller = uploads.size - originals.length;
  if (smaller > 0)
    yield note("smaller pictures", `${smaller} that WordPress has made of others: texts show the originals.`);
  const [first, ...more] = uploads.repeated;
  if (first)
    yield note(
      first.path.join("/"),
      `It, and ${more.length} other files, are called like others in the folders of uploads, which are taken.`,
    );
  if (uploads.size === 0 && attachments.size > 0)
    yield {
      kind: "refused",
      key: lineKeyIn(blog, "wp-content/uploads"),
      reason: `${attachments.size} files are missing: name the folder wp-content/uploads as a further source, or have them read from the old site (--fetch).`,
    };
}
