import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { referenceTo } from "../../../src/content/blog/source-references.ts";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import { createUniquePaths, isMoving, isStill } from "../files.ts";
import {
  addTo,
  type AlbumItem,
  createCounts,
  type Item,
  keyOf,
  note,
  type PhotoDetails,
  placeOf,
  type PostItem,
  refuse,
  toFile,
} from "../items.ts";
import { clockAt } from "../texts.ts";
import { toLine } from "../../../src/platform/text.ts";
import { type Media, type Place, repair } from "./meta-json.ts";

/** A post as both services have it. */
type SocialPost = {
  text: string;
  seconds: number;
  media: Media[];
  places?: Place[];
  links?: { url: string; name: string }[];
};
type Shown = { media: Media; caption: string; place: Place | null; positions: Record<string, number> };
type Album = { key: string; name: string; description: string; cover: string | null; media: Media[] };

const longestTitle = 80;
/** What is pasted to a comment, and shown beside messages, is no picture of a person. */
const isElsewhere = (path: string) => /(^|\/)(messages|stickers_used|comments[^/]*|events|groups)\//.test(path);
const mediaFolder = /^.*?(^|\/)(media|photos_and_videos)\//;

/** The pictures and posts of an export, and the files that none of them names. Everything is private: nothing in it says who saw it. */
export function createLibrary(title: string, files: TreeFile[]) {
  const byPath = new Map<string, TreeFile>();
  for (const file of files) for (const top of [1, 0]) byPath.set(file.path.slice(top).join("/").normalize("NFC"), file);
  const find = ({ uri }: Media) => byPath.get(uri.normalize("NFC")) ?? byPath.get(repair(uri).normalize("NFC"));
  const shown = new Map<TreeFile, Shown>();
  const albums: Album[] = [];
  const posts: PostItem[] = [];
  const missing = new Set<string>();
  let [comments, empty] = [0, 0];

  /** Returns the file, and remembers what is said of it. */
  function add(media: Media, said: { caption?: string; place?: Place | undefined } = {}): TreeFile | null {
    const file = find(media);
    if (!file) {
      if (isMedia(media.uri)) missing.add(media.uri);
      return null;
    }
    const one = shown.get(file) ?? { media, caption: "", place: null, positions: {} };
    one.caption ||= media.description || (said.caption ?? "");
    one.place ??= said.place ?? null;
    if (!shown.has(file)) comments += media.comments.length;
    shown.set(file, one);
    return file;
  }

  return {
    addAlbum(album: Album): void {
      albums.push(album);
      for (const media of album.media) add(media);
    },
    add,
    addPost({ text, seconds, media, places = [], links: all = [] }: SocialPost): void {
      const links = all.filter(({ url }) => /^https?:\/\//.test(url));
      const pictures = media.flatMap((one) => add(one, { caption: text, place: places[0] }) ?? []);
      if (text.trim() === "" && pictures.length === 0 && places.length === 0 && links.length === 0) return void empty++;
      const postTitle = titleOf([text, places[0]?.name, links[0]?.name], seconds);
      const isInTitle = text.trim() === postTitle && pictures.length > 0;
      const content = [
        htmlToMarkdown(isInTitle ? "" : paragraphs(text)),
        ...pictures.map((file) => `![](${referenceTo(keyOf(file))})`),
        htmlToMarkdown(places.map(({ name }) => (text.includes(name) ? "" : paragraphs(name))).join("")),
        htmlToMarkdown(links.map(linkTo).join("")),
      ];
      const time = seconds > 0 ? seconds * 1000 : null;
      posts.push({
        kind: "post",
        // The same in each form that the lists have had.
        key: media[0]?.uri ?? `${seconds} ${text.slice(0, 100)}`,
        title: postTitle,
        content: content.filter((part) => part.trim() !== "").join("\n\n"),
        publishedAt: time,
        createdAt: time,
        cover: pictures[0] ? keyOf(pictures[0]) : null,
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
      const filled = albums.filter(({ media }) => media.some(find));
      if (filled.length > 0) yield toAlbum({ key: title, name: title });
      for (const { key, name, description } of filled)
        yield toAlbum({ key, name: name.trim() || title, description, parent: title });
      const covers = new Map<TreeFile, string[]>();
      for (const { key, media, cover } of filled)
        for (const [position, one] of media.entries()) {
          const file = find(one);
          const positions = file && shown.get(file)?.positions;
          if (positions) positions[key] ??= position;
          if (file && one.uri === cover) addTo(covers, file, key);
        }
      const toUniquePath = createUniquePaths();
      for (const file of files) {
        const one = shown.get(file);
        if (!one && !isOwn(file)) continue;
        const positions = one?.positions ?? {};
        yield toFile(file, {
          // The folders of the export above those of pictures say nothing.
          path: toUniquePath(keyOf(file).replace(mediaFolder, "").split("/").filter(Boolean)),
          isPublic: false,
          photo: one ? toDetails(one) : {},
          positions,
          coverOf: covers.get(file) ?? [],
        });
      }
      yield* posts;
    },
  };
}

const isMedia = (path: string) => isStill(path) || isMoving(path) || /\.(gif|webm)$/i.test(path);
/** A picture that nothing describes is one of the person all the same. */
const isOwn = (file: TreeFile) =>
  mediaFolder.test(keyOf(file)) && isMedia(keyOf(file)) && !isElsewhere(keyOf(file).toLowerCase());
const toAlbum = (album: Omit<AlbumItem, "kind">): AlbumItem => ({ kind: "album", ...album });

/** Both services remove what the camera has written to a file. */
function toDetails({ media, caption, place }: Shown): PhotoDetails {
  const { photo_metadata, video_metadata } = media.media_metadata ?? {};
  const exif = [...(photo_metadata?.exif_data ?? []), ...(video_metadata?.exif_data ?? [])];
  const taken = exif.find(({ taken_timestamp: time }) => time > 0)?.taken_timestamp;
  const measured = exif.find(({ latitude, longitude }) => latitude && longitude) ?? place?.coordinate;
  const where = placeOf(measured?.latitude, measured?.longitude, place?.name);
  const seconds = taken ?? media.creation_timestamp;
  return {
    title: titleOf([caption], seconds),
    description: caption,
    ...where,
    ...(seconds > 0 && { momentTaken: seconds * 1000 }),
    ...(taken !== undefined && where.place && { clockTaken: clockAt(where.place, taken * 1000) }),
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
  text
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n{2,}/)
    .map((part) => `<p>${Bun.escapeHTML(part).replaceAll("\n", "<br>")}</p>`)
    .join("");

const linkTo = ({ url, name }: { url: string; name: string }): string =>
  `<p><a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(toLine(name) || url)}</a></p>`;

const groups: [name: string, folders: RegExp][] = [
  ["messages", /(^|\/)messages\//],
  ["advertising data", /(^|\/)(ads_[^/]*|advertis[^/]*|apps_and_websites[^/]*)\//],
  ["contacts", /(^|\/)(connections|contacts|friends[^/]*|followers[^/]*)\//],
  ["comments and likes", /(^|\/)(comments|likes)[^/]*\//],
  ["other data of the account", /^/],
];

function* leftOut(files: TreeFile[]): Generator<Item> {
  const counts = createCounts();
  for (const file of files)
    counts.add(groups.find(([, folders]) => folders.test(keyOf(file).toLowerCase()))?.[0] ?? "");
  for (const [name] of groups) {
    const count = counts.get(name);
    if (count > 0) yield note(name, `${count} ${count === 1 ? "file is" : "files are"} not taken.`);
  }
}
