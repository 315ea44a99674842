import { isUnusable, type Tree, type TreeFile } from "../../../src/platform/archives/tree.ts";
import { hashOfText } from "../../../src/platform/hash.ts";
import { type Gallery, readBody } from "./body.ts";
import type { SourceWish } from "../kind.ts";
import { indexUploads, pathOf, type Uploads } from "./media.ts";
import { createOldSite } from "./old-site.ts";
import { plainTextFrom } from "../plain-text.ts";
import { isWXR, readWXR, type WXRAuthor, type WXRItem, type WXRTerm } from "./read-wxr.ts";

export type Attachment = Pick<WXRItem, "id" | "title" | "link" | "parent" | "content" | "excerpt"> & {
  url: string;
  /** Where it lies in the folder of uploads, whatever its address says. */
  file: string;
  altText: string;
};

/** What is known of an export before its posts are read: they refer to what may come after them. */
export type Survey = {
  exports: TreeFile[];
  uploads: Uploads;
  base: URL | null;
  authors: Map<string, WXRAuthor>;
  /** By their paths. */
  terms: Map<string, WXRTerm>;
  attachments: Map<string, Attachment>;
  /** By the ids of the posts to which they belong. */
  attachmentsOf: Map<string, string[]>;
  /** Texts that many posts share. */
  blocks: Map<string, string>;
  posts: SurveyedPost[];
  commentCount: number;
  /** What has no place here, with its number. */
  others: Map<string, number>;
  unusable: { key: string; reason: string }[];
};

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
export function galleryKey(postID: string, gallery: Gallery): string {
  const what = "ids" in gallery ? gallery.ids.join(",") : `all but ${gallery.without.join(",")}`;
  return `gallery ${postID} ${what.length > 200 ? hashOfText(what) : what}`;
}

/** The attachments that a gallery of a post shows. */
export const shownIn = ({ attachmentsOf }: Survey, postID: string, gallery: Gallery): string[] =>
  "ids" in gallery ? gallery.ids : (attachmentsOf.get(postID) ?? []).filter((one) => !gallery.without.includes(one));

/** An address as a page of the old site would have read it. */
export const absolute = ({ base }: Survey, url: string): string =>
  URL.parse(url, base?.href ?? "http://localhost")?.href ?? url;

/** Reads everything once, and keeps what posts and files need to know of each other. */
export async function survey(tree: Tree, fetch?: SourceWish["fetch"]): Promise<Survey> {
  const found: Survey = {
    exports: [],
    uploads: indexUploads([]),
    base: null,
    authors: new Map(),
    terms: new Map(),
    attachments: new Map(),
    attachmentsOf: new Map(),
    blocks: new Map(),
    posts: [],
    commentCount: 0,
    others: new Map(),
    unusable: [],
  };
  const files: TreeFile[] = [];
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) found.unusable.push({ key: entry.path, reason: entry.reason });
    else if (!("isDirectory" in entry)) {
      const isExport = isXML(entry) && (await isWXR(entry));
      (isExport ? found.exports : files).push(entry);
    }
  }
  found.uploads = indexUploads(files);
  // Exports that were split may have an item twice.
  const seen = new Set<string>();
  const bases = new Map<string, URL | null>();
  for (const file of found.exports) {
    for await (const entry of readWXR(file)) {
      if (entry.kind === "base") bases.set(entry.name, bases.get(entry.name) ?? URL.parse(entry.url));
      if (entry.kind === "author") found.authors.set(entry.author.login, entry.author);
      if (entry.kind === "term") found.terms.set(`${entry.term.domain}/${entry.term.nicename}`, entry.term);
      if (entry.kind === "damage") found.unusable.push({ key: file.path.join("/"), reason: entry.reason });
      if (entry.kind === "item" && !seen.has(entry.item.id)) addItem(found, entry.item);
      if (entry.kind === "item") seen.add(entry.item.id);
    }
  }
  found.base = bases.get("base_blog_url") ?? bases.get("link") ?? bases.get("base_site_url") ?? null;
  for (const { url, file } of found.attachments.values())
    if (file !== "" && pathOf(url) === null) found.uploads.addAddress(absolute(found, url), file);
  if (fetch) addMissing(found, fetch);
  return found;
}

/** Media that WordPress lists, or that a post shows, and that are not here: they will be read from where they were. */
function addMissing(found: Survey, fetch: NonNullable<SourceWish["fetch"]>): void {
  const fromOldSite = createOldSite(fetch);
  const own = found.base?.host.replace(/^www\./, "");
  const isOwn = ({ host }: URL) => host.replace(/^www\./, "") === own || host.endsWith(".files.wordpress.com");
  const add = (address: string, file = "") => {
    const url = URL.parse(address);
    const key = pathOf(address) ?? file;
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

export const isXML = ({ path }: TreeFile): boolean => /\.(xml|wxr)$/i.test(path.at(-1) ?? "");

function addItem(found: Survey, item: WXRItem): void {
  const { id, type, link, parent, content, excerpt } = item;
  const title = plainTextFrom(item.title.slice(0, 1000)).replace(/\s+/g, " ");
  if (type === "attachment") {
    const url = item.attachmentURL || link;
    const altText = item.meta.get("_wp_attachment_image_alt") ?? "";
    const file = (item.meta.get("_wp_attached_file") ?? "").normalize("NFC");
    found.attachments.set(id, { id, title, link, parent, content, excerpt, url, file, altText });
    const siblings = found.attachmentsOf.get(parent) ?? [];
    found.attachmentsOf.set(parent, siblings);
    siblings.push(id);
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
  else {
    const name = type === "post" || type === "page" ? `${type} (${item.status})` : type || "without a type";
    if (found.others.size < 200) found.others.set(name, (found.others.get(name) ?? 0) + 1);
  }
}
