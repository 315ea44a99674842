import type { SourceOptions } from "../../format/job.ts";
import type { Tree, TreeFile } from "../../../src/platform/archives/tree.ts";
import { hashOfText } from "../../../src/platform/hash.ts";
import { addTo, createCounts, keyOf, listFiles, nameOf, refuse, type ReportItem } from "../items.ts";
import { plainTextFrom } from "../texts.ts";
import { type Gallery, readBody } from "./body.ts";
import { indexUploads } from "./media.ts";
import { createOldSite } from "./old-site.ts";
import { findUploadFolders, type Seeker, shareFolders } from "./upload-folders.ts";
import { isWXR, readWXR, type WXRAuthor, type WXRItem, type WXRTerm } from "./read-wxr.ts";

export type Attachment = Pick<WXRItem, "id" | "title" | "link" | "parent" | "content" | "excerpt"> & {
  url: string;
  /** Where it lies in the folder of uploads, whatever its address says. */
  file: string;
  altText: string;
};

/** What is known of a blog before its posts are read: they refer to what may come after them. */
export type Blog = ReturnType<typeof newBlog>;

const newBlog = (address: string, base: URL | null) => ({
  /** Tells it from other blogs: the host and the path of its address, "" if the export does not say them. */
  address,
  base,
  /** Where its files lie, if several blogs come together. */
  folder: [] as string[],
  /** Its number in a network of blogs, which the addresses of its media have; null for others. */
  site: null as string | null,
  exports: [] as TreeFile[],
  uploads: indexUploads([], null),
  authors: new Map<string, WXRAuthor>(),
  /** By their paths. */
  terms: new Map<string, WXRTerm>(),
  attachments: new Map<string, Attachment>(),
  /** By the ids of the posts to which they belong. */
  attachmentsOf: new Map<string, string[]>(),
  /** Texts that many posts share. */
  blocks: new Map<string, string>(),
  posts: [] as SurveyedPost[],
  commentCount: 0,
  /** What has no place here, with its number. */
  others: createCounts(),
  /** What each id stands for. */
  seen: new Map<string, string>(),
  /** How often an item comes again. */
  repeated: 0,
});

/** What a line calls it: that of a single blog needs no name. */
export const lineKeyIn = (blog: Blog, key: string): string => (blog.folder.length === 0 ? key : keyIn(blog, key));

/** The path of the blog on its host. */
export const rootOf = ({ base }: Blog): string => base?.pathname.replace(/(?<!\/)\/+$/, "") ?? "";

/** The key of something that only its blog knows by this name. */
export const keyIn = ({ address }: Blog, key: string): string => (address === "" ? key : `${address} ${key}`);

type SurveyedPost = {
  id: string;
  title: string;
  creator: string;
  isPublic: boolean;
  galleries: Gallery[];
  cover: string;
  /** Addresses in the text that may be those of media. */
  urls: string[];
};

const ignored = new Set(["trash", "auto-draft", "inherit"]);
const mostURLs = 5000;

export const isPost = ({ type, status }: WXRItem): boolean =>
  (type === "post" || type === "page") && !ignored.has(status);

export const isPublicPost = ({ status, password }: WXRItem): boolean => status === "publish" && password === "";

/** The album that a gallery becomes. */
export function galleryKey(blog: Blog, postID: string, gallery: Gallery): string {
  const what = "ids" in gallery ? gallery.ids.join(",") : `all but ${gallery.without.join(",")}`;
  return keyIn(blog, `gallery ${postID} ${what.length > 200 ? hashOfText(what) : what}`);
}

/** The attachments that a gallery of a post shows. */
export const shownIn = ({ attachmentsOf }: Blog, postID: string, gallery: Gallery): string[] =>
  "ids" in gallery ? gallery.ids : (attachmentsOf.get(postID) ?? []).filter((one) => !gallery.without.includes(one));

/** An address as a page of the old site would have read it. */
export const absolute = ({ base }: Blog, url: string): string =>
  URL.parse(url, base?.href ?? "http://localhost")?.href ?? url;

/** Reads everything once, and keeps what posts and files need to know of each other. */
export async function survey(tree: Tree, fetch?: SourceOptions["fetch"]) {
  const { files: all, lines } = await listFiles(tree);
  const files: TreeFile[] = [];
  const found = new Map<string, Blog>();
  for (const file of all)
    if (isXML(file) && (await isWXR(file))) await readExport(file, found, lines);
    else files.push(file);
  const blogs = [...found.values()];
  const folders = findUploadFolders(files);
  const shared = shareFolders(blogs.map(toSeeker), folders);
  for (const [index, blog] of blogs.entries()) {
    if (blogs.length > 1 && blog.address !== "") blog.folder = [blog.address.replaceAll("/", "-")];
    blog.uploads = indexUploads(shared[index] ?? [], blog.site);
    for (const { url, file } of blog.attachments.values())
      if (file !== "" && blog.uploads.keyAt(url) === null) blog.uploads.addAddress(absolute(blog, url), file);
    if (fetch) addMissing(blog, fetch);
  }
  const taken = new Set(shared.flat());
  /** Folders of uploads that no blog has. */
  const strange = folders.filter((folder) => !taken.has(folder));
  return { blogs, lines, strange };
}

/** Exports that were split may have an item twice, and several blogs have the same numbers. */
async function readExport(file: TreeFile, blogs: Map<string, Blog>, lines: ReportItem[]): Promise<void> {
  const bases = new Map<string, URL | null>();
  const key = keyOf(file);
  let blog: Blog | null = null;
  const getBlog = (): Blog => {
    if (blog) return blog;
    const base = bases.get("base_blog_url") ?? bases.get("link") ?? bases.get("base_site_url") ?? null;
    const address = base ? (base.host.replace(/^www\./, "") + base.pathname).replace(/\/+$/, "") : "";
    blog = blogs.get(address) ?? newBlog(address, base);
    blogs.set(address, blog);
    blog.exports.push(file);
    return blog;
  };
  for await (const entry of readWXR(file)) {
    if (entry.kind === "base") bases.set(entry.name, bases.get(entry.name) ?? URL.parse(entry.url));
    if (entry.kind === "author") getBlog().authors.set(entry.author.login, entry.author);
    if (entry.kind === "term") getBlog().terms.set(`${entry.term.domain}/${entry.term.nicename}`, entry.term);
    if (entry.kind === "damage") lines.push(refuse(key, entry.reason));
    if (entry.kind !== "item") continue;
    const { id, type, title, modified } = entry.item;
    const { seen } = getBlog();
    const what = `${type} ${modified} ${title}`;
    const before = seen.get(id);
    seen.set(id, before ?? what);
    if (before === undefined) addItem(getBlog(), entry.item);
    else if (before === what) getBlog().repeated++;
    else {
      const reason = `${title || "It"} has the number ${id}, like something else of this blog that came before, and is left out.`;
      lines.push(refuse(key, reason));
    }
  }
  getBlog();
}

const siteInURL = /\/uploads\/sites\/(\d{1,15})\//;

/** What a blog looks for; says to the blog itself which number it has. */
function toSeeker(blog: Blog): Seeker {
  const media = [...blog.attachments.values()];
  const urls = [...media.map(({ url }) => url), ...blog.posts.flatMap((post) => post.urls)];
  const sites = urls.flatMap((url) => siteInURL.exec(url)?.[1] ?? []);
  const counts = Map.groupBy(sites, (site) => site);
  blog.site = [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
  const { keyAt } = indexUploads([], blog.site);
  return { site: blog.site, exports: blog.exports, keys: media.map(({ url, file }) => keyAt(url) ?? file) };
}

/** Media that WordPress lists, or that a post shows, and that are not here: they will be read from where they were. */
function addMissing(found: Blog, fetch: NonNullable<SourceOptions["fetch"]>): void {
  const fromOldSite = createOldSite(fetch);
  const own = found.base?.host.replace(/^www\./, "");
  const isOwn = ({ host }: URL) => host.replace(/^www\./, "") === own || host.endsWith(".files.wordpress.com");
  const add = (address: string, file = "") => {
    const url = URL.parse(address);
    const key = found.uploads.keyAt(address) ?? file;
    if (url && key && /^https?:$/.test(url.protocol) && found.uploads.find(address) === null)
      found.uploads.add(key, fromOldSite(key, url.href));
  };
  for (const { url, file } of found.attachments.values()) add(absolute(found, url), file);
  for (const { urls } of found.posts)
    for (const one of urls) {
      const url = URL.parse(absolute(found, one));
      if (url && isOwn(url)) add(url.origin + url.pathname);
    }
}

export const isXML = (file: TreeFile): boolean => /\.(xml|wxr)$/i.test(nameOf(file));

function addItem(found: Blog, item: WXRItem): void {
  const { id, type, link, parent, content, excerpt } = item;
  const title = plainTextFrom(item.title.slice(0, 1000)).replace(/\s+/g, " ");
  if (type === "attachment") {
    const url = item.attachmentURL || link;
    const altText = item.meta.get("_wp_attachment_image_alt") ?? "";
    const file = (item.meta.get("_wp_attached_file") ?? "").normalize("NFC");
    found.attachments.set(id, { id, title, link, parent, content, excerpt, url, file, altText });
    addTo(found.attachmentsOf, parent, id);
  } else if (isPost(item)) {
    // A block that this post shares may come later: its pictures are found through the attachments.
    const { html, galleries } = readBody(content, () => "");
    const urls = [...html.matchAll(/\b(?:src|href)\s{0,5}=\s{0,5}["']([^"']{1,2000})["']/g)].slice(0, mostURLs);
    found.commentCount += item.comments.length;
    found.posts.push({
      id,
      title,
      creator: item.creator,
      isPublic: isPublicPost(item),
      galleries,
      cover: item.meta.get("_thumbnail_id") ?? "",
      urls: urls.map(([, url = ""]) => url.replaceAll("&amp;", "&")),
    });
  } else if (type === "wp_block") found.blocks.set(id, content);
  else count(found, type === "post" || type === "page" ? `${type} (${item.status})` : type || "without a type", 1);
  if (!isPost(item) && item.comments.length > 0) count(found, `comments on ${type || "others"}`, item.comments.length);
}

const mostKinds = 200;

/** There may be any number of kinds, and a report has a line for each. */
function count({ others }: Blog, kind: string, number: number): void {
  others.add(others.get(kind) > 0 || others.size() < mostKinds ? kind : "others", number);
}
