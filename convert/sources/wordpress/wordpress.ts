import type { Visibility } from "../../../src/core/records/visibility.ts";
import type { Tree } from "../../../src/platform/archives/tree.ts";
import type { FileItem, Item, RedirectItem, Total } from "../../../src/features/imports/item.ts";
import { type SourceKind, type SourceWish, sourceWithTotal } from "../kind.ts";
import { isWXR } from "./read-wxr.ts";
import { plainTextFrom } from "../plain-text.ts";
import { listPosts } from "./posts.ts";
import { absolute, type Attachment, galleryKey, isXML, shownIn, survey, type Survey } from "./survey.ts";

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
  const found = await survey(tree, fetch);
  const plan = planMedia(found);
  tell(totalOf(found, plan));
  for (const { key, reason } of found.unusable) yield { kind: "refused", key, reason };
  const creators = new Set(found.posts.map(({ creator }) => creator));
  for (const login of creators)
    if (login !== "")
      yield { kind: "person", key: login, username: login, displayName: found.authors.get(login)?.name ?? login };
  for (const { key, name, isPublic } of plan.albums)
    yield {
      kind: "album",
      key,
      name,
      description: "",
      parent: null,
      visibility: isPublic ? visibility : "private",
    };
  yield* listFiles(found, plan, visibility);
  yield* listPosts(found, { visibility, albums: new Set(plan.albums.map(({ key }) => key)) });
  yield* listRedirects(found);
  yield* listRest(found, plan);
}

type Plan = {
  albums: { key: string; name: string; isPublic: boolean }[];
  /** The files that are taken, by their keys. */
  files: Map<string, { attachment: Attachment | null; isPublic: boolean; places: Record<string, number> }>;
  missing: Attachment[];
};

/** What of the uploads is taken: everything that WordPress lists, or that a post shows. A picture is public if a public post has it. */
function planMedia(found: Survey): Plan {
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
      const album = galleryKey(id, gallery);
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

function totalOf({ posts, commentCount, terms, uploads }: Survey, { albums, files }: Plan): Total {
  return {
    items: posts.length + commentCount + terms.size + albums.length + files.size,
    bytes: [...files.keys()].reduce((sum, key) => sum + (uploads.get(key)?.size ?? 0), 0),
  };
}

function* listFiles({ uploads }: Survey, plan: Plan, chosen: Visibility): Generator<FileItem> {
  for (const [key, { attachment, isPublic, places }] of plan.files) {
    const file = uploads.get(key);
    if (!file) continue;
    const visibility = isPublic ? chosen : "private";
    const { size, modifiedAt, open } = file;
    yield {
      kind: "file",
      key: `uploads/${key}`,
      path: key.split("/"),
      size,
      modifiedAt,
      open,
      ...("url" in file && { version: `at ${file.url as string}` }),
      visibility,
      photo: { ...detailsOf(attachment), visibility },
      albums: Object.keys(places),
      positions: places,
      oldAddresses: [key, ...uploads.sizesOf(key)]
        .map((one) => `/wp-content/uploads/${one.split("/").map(encodeURIComponent).join("/")}`)
        .concat(attachment ? [attachment.url, attachment.link, `/?attachment_id=${attachment.id}`] : []),
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

function* listRedirects({ base, terms: byPath }: Survey): Generator<RedirectItem> {
  const terms = [...byPath.values()].slice(0, 20_000);
  const root = base?.pathname.replace(/(?<!\/)\/+$/, "") ?? "";
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
function* listRest({ others, uploads, attachments }: Survey, { files, missing }: Plan): Generator<Item> {
  for (const [type, count] of others)
    yield { kind: "note", key: type, reason: `${count} of this kind: there is nothing like it here.` };
  if (uploads.size > 0)
    for (const { url } of missing)
      yield { kind: "refused", key: url, reason: "Its file is not in the folder of uploads." };
  const left = uploads.originals().filter((key) => !files.has(key));
  if (left.length > 0)
    yield {
      kind: "note",
      key: `uploads/${left[0]}`,
      reason: `It, and ${left.length - 1} other files, are neither listed by WordPress nor shown by a post.`,
    };
  if (uploads.size === 0 && attachments.size > 0)
    yield {
      kind: "refused",
      key: "wp-content/uploads",
      reason: `${attachments.size} files are missing: name the folder wp-content/uploads as a further source, or have them read from the old site (--fetch).`,
    };
}
