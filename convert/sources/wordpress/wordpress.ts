import {
  type AlbumItem,
  type FileItem,
  type Item,
  keyOf,
  note,
  type PhotoDetails,
  publicIf,
  refuse,
  toFile,
} from "../items.ts";
import type { SourceKind } from "../kind.ts";
import { plainTextFrom } from "../texts.ts";
import { listPosts } from "./posts.ts";
import { isWXR } from "./read-wxr.ts";
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
  async *list(tree, { fetch }, setTotal): AsyncGenerator<Item> {
    const { blogs, lines, strange } = await survey(tree, fetch);
    const plans = new Map(blogs.map((blog) => [blog, planMedia(blog)] as const));
    setTotal(totalOf(plans));
    yield* lines;
    yield* listPeople(blogs);
    for (const [blog, plan] of plans) {
      yield* plan.albums;
      yield* takeFiles(blog, plan);
      yield* listPosts(blog, new Set(plan.albums.map(({ key }) => key)));
      yield* listRedirects(blog);
      yield* listRest(blog, plan);
    }
    for (const { path, files } of strange)
      yield note(
        path.join("/") || "other files",
        `${files.size} ${files.size === 1 ? "file belongs" : "files belong"} to none of these blogs.`,
      );
  },
};

/** Blogs of a network have the same people. */
function* listPeople(blogs: Blog[]): Generator<Item> {
  const names = new Map<string, string>();
  for (const { posts, authors } of blogs)
    for (const { creator } of posts) if (creator !== "") names.set(creator, authors.get(creator)?.name ?? creator);
  for (const [login, name] of names) yield { kind: "person", key: login, username: login, displayName: name };
}

type Plan = {
  albums: AlbumItem[];
  /** The files that are taken, by their keys. */
  files: Map<string, { attachment: Attachment | null; isPublic: boolean; positions: Record<string, number> }>;
  missing: Attachment[];
};

/** What of the uploads is taken: everything that WordPress lists, or that a post shows. A picture is public if a public post has it. */
function planMedia(found: Blog): Plan {
  const { uploads, attachments } = found;
  const plan: Plan = { albums: [], files: new Map(), missing: [] };
  const take = (key: string, isPublic: boolean) => {
    const file = plan.files.get(key) ?? { attachment: null, isPublic: false, positions: {} };
    file.isPublic ||= isPublic;
    plan.files.set(key, file);
    return file;
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
      for (const [place, key] of keys.entries()) take(key, isPublic).positions[album] = place;
      const name = (title || "Gallery").slice(0, 190) + (index === 0 ? "" : ` (${index + 1})`);
      // A post may show the same gallery twice.
      if (keys.length > 0 && !made.has(album))
        plan.albums.push({ kind: "album", key: album, name, visibility: publicIf(isPublic) });
      made.add(album);
    }
  }
  return plan;
}

function totalOf(plans: Map<Blog, Plan>) {
  let [items, bytes] = [0, 0];
  for (const [{ posts, commentCount, terms, uploads }, { albums, files }] of plans) {
    items += posts.length + commentCount + terms.size + albums.length + files.size;
    for (const key of files.keys()) bytes += uploads.get(key)?.size ?? 0;
  }
  return { items, bytes };
}

function* takeFiles(blog: Blog, plan: Plan): Generator<FileItem> {
  const { uploads, folder, site } = blog;
  const top = `/wp-content/uploads/${site === null ? "" : `sites/${site}/`}`;
  for (const [key, { attachment, isPublic, positions }] of plan.files) {
    const file = uploads.get(key);
    if (!file) continue;
    const own = attachment ? [attachment.url, attachment.link, `${rootOf(blog)}/?attachment_id=${attachment.id}`] : [];
    const paths = [key, ...uploads.sizesOf(key)].map((one) => top + one.split("/").map(encodeURIComponent).join("/"));
    yield toFile(file, {
      key: keyIn(blog, `uploads/${key}`),
      name: [...folder, "uploads", key].join("/"),
      path: [...folder, ...key.split("/")],
      ...("url" in file && { version: `at ${file.url as string}` }),
      isPublic,
      photo: attachment ? toDetails(attachment) : {},
      positions,
      oldAddresses: [...paths, ...own],
    });
  }
}

const toDetails = ({ title, content, excerpt, altText }: Attachment): PhotoDetails => ({
  title,
  description: plainTextFrom(content) || plainTextFrom(excerpt),
  altText,
});

function* listRedirects(blog: Blog): Generator<Item> {
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
  const line = (key: string, reason: string) => note(lineKeyIn(blog, key), reason);
  for (const [type, count] of others.entries())
    yield line(type, `${count} of this kind: there is nothing like it here.`);
  if (blocks.size > 0)
    yield line("wp_block", `${blocks.size} of this kind: their texts are in the posts that show them.`);
  if (blog.repeated > 0) yield line("repeated", `${blog.repeated} are in the export more than once, and taken once.`);
  if (uploads.size() > 0) for (const { url } of missing) yield refuse(url, "Its file is not in the folder of uploads.");
  const originals = uploads.originals();
  const left = originals.filter((key) => !files.has(key));
  if (left.length > 0)
    yield line(
      `uploads/${left[0]}`,
      `It, and ${left.length - 1} other files, are neither listed by WordPress nor shown by a post.`,
    );
  const smaller = uploads.size() - originals.length;
  if (smaller > 0)
    yield line("smaller pictures", `${smaller} that WordPress has made of others: texts show the originals.`);
  const [first, ...more] = uploads.repeated;
  if (first)
    yield line(
      keyOf(first),
      `It, and ${more.length} other files, are called like others in the folders of uploads, which are taken.`,
    );
  if (uploads.size() === 0 && attachments.size > 0)
    yield refuse(
      lineKeyIn(blog, "wp-content/uploads"),
      `${attachments.size} files are missing: name the folder wp-content/uploads as a further source, or have them read from the old site (--fetch).`,
    );
}
