import type { AlbumItem, FileItem, Item, PhotoDetails, PostItem } from "../../../src/features/imports/item.ts";
import { referenceTo } from "../../../src/features/imports/references.ts";
import { toLine, toText } from "../../../src/features/imports/texts.ts";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import { toPhotoDetails } from "../details.ts";
import { escape } from "../ghost/cards.ts";
import { isMoving, isStill } from "../parts.ts";
import { clockAt } from "../place-clock.ts";
import { createUniquePaths } from "../unique-paths.ts";
import { type Media, type Place, repair } from "./meta-json.ts";

/** A post as both services have it. */
type SocialPost = {
  text: string;
  seconds: number;
  media: Media[];
  places: Place[];
  links: { url: string; name: string }[];
};
type Shown = { file: TreeFile; media: Media; caption: string; place: Place | null; positions: Record<string, number> };
type Album = { key: string; name: string; description: string; cover: string | null; media: Media[] };

const longestTitle = 80;
/** What is pasted to a comment, and shown beside messages, is no picture of a person. */
const isElsewhere = (path: string) => /(^|\/)(messages|stickers_used|comments[^/]*|events|groups)\//.test(path);
const mediaFolder = /^.*?(^|\/)(media|photos_and_videos)\//;

/** The pictures and posts of an export, and the files that none of them names. Everything is private: nothing in it says who saw it. */
export function createLibrary(title: string, files: TreeFile[]) {
  const byPath = new Map<string, TreeFile>();
  for (const file of files) for (const top of [1, 0]) byPath.set(file.path.slice(top).join("/").normalize("NFC"), file);
  const shown = new Map<TreeFile, Shown>();
  const albums: Album[] = [];
  const posts: PostItem[] = [];
  const missing = new Set<string>();
  let [comments, empty] = [0, 0];

  /** Returns the file, and remembers what is said of it. */
  function use(media: Media, said: { caption?: string; place?: Place | null } = {}): TreeFile | null {
    const file = byPath.get(media.uri.normalize("NFC")) ?? byPath.get(repair(media.uri).normalize("NFC"));
    if (!file) return null;
    const one = shown.get(file) ?? { file, media, caption: "", place: null, positions: {} };
    one.caption ||= media.description || (said.caption ?? "");
    one.place ??= said.place ?? null;
    if (!shown.has(file)) comments += media.comments.length;
    shown.set(file, one);
    return file;
  }

  const useOrCount = (...[media, said]: Parameters<typeof use>) => {
    const file = use(media, said);
    if (!file && isMedia(media.uri)) missing.add(media.uri);
    return file;
  };

  return {
    addAlbum(album: Album): void {
      albums.push(album);
      for (const media of album.media) useOrCount(media);
    },
    add: useOrCount,
    addPost({ text, seconds, media, places, links: all }: SocialPost): void {
      const links = all.filter(({ url }) => /^https?:\/\//.test(url));
      const pictures = media.flatMap((one) => useOrCount(one, { caption: text, place: places[0] ?? null }) ?? []);
      if (text.trim() === "" && pictures.length === 0 && places.length === 0 && links.length === 0) return void empty++;
      const title = titleOf([text, places[0]?.name, links[0]?.name], seconds);
      const isInTitle = text.trim() === title && pictures.length > 0;
      const content = [
        htmlToMarkdown(isInTitle ? "" : paragraphs(text)),
        ...pictures.map((file) => `![](${referenceTo(keyOf(file))})`),
        htmlToMarkdown(places.map(({ name }) => (text.includes(name) ? "" : paragraphs(name))).join("")),
        htmlToMarkdown(links.map(linkTo).join("")),
      ];
      posts.push({
        kind: "post",
        // The same in each form that the lists have had.
        key: media[0]?.uri ?? `${seconds} ${text.slice(0, 100)}`,
        isPage: false,
        title,
        slug: "",
        content: content.filter((part) => part.trim() !== "").join("\n\n"),
        excerpt: "",
        tags: [],
        publishedAt: seconds > 0 ? seconds * 1000 : null,
        createdAt: seconds > 0 ? seconds * 1000 : null,
        updatedAt: null,
        visibility: "private",
        commentsOpen: true,
        author: null,
        cover: pictures[0] ? keyOf(pictures[0]) : null,
        oldAddresses: [],
      });
    },
    /** All of them, with a line for each kind of thing that is left out. */
    *items(read: ReadonlySet<TreeFile>): Generator<Item> {
      if (missing.size > 0)
        yield refuse("pictures and videos", `${missing.size} missing: give all archives of the export to one command.`);
      if (empty > 0) yield note("posts without text and picture", `${empty} not taken.`);
      if (comments > 0)
        yield note("comments on pictures", `${comments} not taken: their authors have no accounts here.`);
      yield* leftOut(files.filter((file) => !read.has(file) && !shown.has(file) && !isOwn(file)));
      const filled = albums.filter(({ media }) => media.some((one) => use(one)));
      if (filled.length > 0) yield album(title, title, "", null);
      for (const { key, name, description } of filled)
        yield album(key, toLine(name) || title, toText(description), title);
      const covers = new Map<TreeFile, string[]>();
      for (const { key, media, cover } of filled) {
        for (const [position, one] of media.entries()) {
          const file = use(one);
          const positions = file && shown.get(file)?.positions;
          if (positions) positions[key] ??= position;
          if (file && one.uri === cover) covers.set(file, [...(covers.get(file) ?? []), key]);
        }
      }
      const toUniquePath = createUniquePaths();
      for (const file of files) {
        const one = shown.get(file);
        if (one || isOwn(file)) yield toFile(file, toUniquePath(placeOf(file)), one, covers.get(file) ?? []);
      }
      yield* posts;
    },
  };
}

const keyOf = ({ path }: TreeFile) => path.join("/");
const isMedia = (path: string) => isStill(path) || isMoving(path) || /\.(gif|webm)$/i.test(path);
/** A picture that nothing describes is one of the person all the same. */
const isOwn = (file: TreeFile) =>
  mediaFolder.test(keyOf(file)) && isMedia(keyOf(file)) && !isElsewhere(keyOf(file).toLowerCase());
const refuse = (key: string, reason: string): Item => ({ kind: "refused", key, reason });
const note = (key: string, reason: string): Item => ({ kind: "note", key, reason });
const album = (key: string, name: string, description: string, parent: string | null): AlbumItem => ({
  kind: "album",
  key,
  name,
  description,
  parent,
  visibility: "private",
});

/** The folders of the export above those of pictures say nothing. */
const placeOf = (file: TreeFile): string[] => keyOf(file).replace(mediaFolder, "").split("/").filter(Boolean);

function toFile(file: TreeFile, path: string[], one: Shown | undefined, coverOf: string[]): FileItem {
  const { size, modifiedAt, open } = file;
  const positions = one?.positions ?? {};
  return {
    kind: "file",
    key: keyOf(file),
    path,
    size,
    modifiedAt,
    open,
    visibility: "private",
    photo: one ? toDetails(one) : { visibility: "private" },
    albums: Object.keys(positions),
    positions,
    coverOf,
  };
}

/** Both services remove what the camera has written to a file. */
function toDetails({ media, caption, place }: Shown): PhotoDetails {
  const { photo_metadata, video_metadata } = media.media_metadata ?? {};
  const exif = [...(photo_metadata?.exif_data ?? []), ...(video_metadata?.exif_data ?? [])];
  const taken = exif.find(({ taken_timestamp: time }) => time > 0)?.taken_timestamp;
  const measured = exif.find(({ latitude, longitude }) => latitude && longitude);
  const { latitude, longitude } = measured ?? place?.coordinate ?? {};
  const where = latitude !== undefined && longitude !== undefined ? { latitude, longitude } : null;
  const seconds = taken ?? media.creation_timestamp;
  return {
    ...toPhotoDetails({
      title: titleOf([caption], seconds),
      description: caption,
      place: where && { ...where, name: place?.name || null },
    }),
    visibility: "private",
    ...(seconds > 0 && { momentTaken: seconds * 1000 }),
    ...(taken !== undefined && where && { clockTaken: clockAt(where, taken * 1000) }),
    ...(taken === undefined && { isTimeRough: true }),
  };
}

/** The first line of the first text; or else the day. */
function titleOf(texts: (string | undefined)[], seconds: number): string {
  for (const text of texts) {
    const line = toLine(text?.trim().split("\n")[0] ?? "");
    if (line !== "") return line.length > longestTitle ? `${toLine(line, longestTitle - 1)}…` : line;
  }
  return seconds > 0 ? new Date(seconds * 1000).toISOString().slice(0, 10) : "";
}

const paragraphs = (text: string): string =>
  toText(text, 100_000)
    .split(/\n{2,}/)
    .map((part) => `<p>${escape(part).replaceAll("\n", "<br>")}</p>`)
    .join("");

const linkTo = ({ url, name }: { url: string; name: string }): string =>
  `<p><a href="${escape(url)}">${escape(toLine(name) || url)}</a></p>`;

const groups: [name: string, folders: RegExp][] = [
  ["messages", /(^|\/)messages\//],
  ["advertising data", /(^|\/)(ads_[^/]*|advertis[^/]*|apps_and_websites[^/]*)\//],
  ["contacts", /(^|\/)(connections|contacts|friends[^/]*|followers[^/]*)\//],
  ["comments and likes", /(^|\/)(comments|likes)[^/]*\//],
  ["other data of the account", /^/],
];

function* leftOut(files: TreeFile[]): Generator<Item> {
  const counts = new Map<string, number>();
  for (const file of files) {
    const [name = ""] = groups.find(([, folders]) => folders.test(keyOf(file).toLowerCase())) ?? [];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name] of groups) {
    const count = counts.get(name) ?? 0;
    if (count > 0) yield note(name, `${count} ${count === 1 ? "file is" : "files are"} not taken.`);
  }
}
