import type { Album } from "../albums/album.ts";
import { findFirstPhotos } from "../albums/album-photos.ts";
import { findAlbums } from "../albums/store.ts";
import type { FileRecord } from "../files/file.ts";
import { findPresentedFiles } from "../files/store.ts";
import type { Photo } from "../photos/photo.ts";
import { findPhotos } from "../photos/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { html, type Html } from "../../platform/markup.ts";

/** How many photos of an embedded album are shown. */
const maxInStrip = 6;

/** References to records, as the renderer of Markdown writes them. */
const references = /<!--(block|inline) (photo|album|file):(\d+)-->/g;
/** What the renderer may also have written, for records that cannot be embedded. */
const unknown = /<!--(?:block|inline) [a-z]+:\d+-->/g;

/** The kinds of records that can be embedded. */
export type EmbedKind = "photo" | "album" | "file";
export type Embed = { kind: EmbedKind; id: number };

/** The records that the HTML refers to, each once. */
export function listEmbeds(text: string): Embed[] {
  const byName = new Map<string, Embed>();
  if (!text.includes("<!--")) return [];
  for (const [, , kind, id] of text.matchAll(references)) {
    byName.set(`${kind}:${id}`, { kind: kind as EmbedKind, id: Number(id) });
  }
  return [...byName.values()];
}

/** With an `origin`, the URLs of records are absolute. `nameOf` names photos in the language of a page. */
export type Filling = { origin?: string; nameOf?: (photo: Photo) => string };

/** What follows a record, or takes its place if the viewer does not see it. */
type Marks = { markHidden?: (embed: Embed) => Html | null };

/** The HTML for this viewer: a record that does not exist, or that the viewer may not see, leaves nothing. */
export async function fillEmbeds(
  db: Reader,
  viewer: Viewer,
  text: string,
  { origin = "", nameOf = plainNameOf, markHidden = () => null }: Filling & Marks = {},
): Promise<string> {
  const embeds = listEmbeds(text);
  if (embeds.length === 0) return text.includes("<!--") ? text.replace(unknown, "") : text;
  const idsOf = (kind: EmbedKind) => embeds.flatMap((embed) => (embed.kind === kind ? [embed.id] : []));
  const [photos, albums, files] = await Promise.all([
    findPhotos(db, viewer, idsOf("photo")),
    findAlbums(db, viewer, idsOf("album")),
    findPresentedFiles(db, viewer, idsOf("file")),
  ]);
  const strips = await findFirstPhotos(db, viewer, [...albums.keys()], maxInStrip);
  return text
    .replace(references, (_, form: string, kind: EmbedKind, id: string) => {
      const embed = { kind, id: Number(id) };
      return printRecord(embed, { form, origin, nameOf }) + print(form, "p", markHidden(embed));
    })
    .replace(unknown, "");

  function printRecord({ kind, id }: Embed, place: Place): string {
    const { form } = place;
    if (kind === "photo") {
      const photo = photos.get(id);
      const isPortrait = photo !== undefined && photo.height > photo.width;
      return print(form, isPortrait ? 'figure class="portrait"' : "figure", printPhoto(photo, place));
    }
    if (kind === "album") return print(form, "figure", printAlbum(albums.get(id), strips, place));
    return print(form, "p", printFile(files.get(id), place));
  }
}

function print(form: string, tag: string, content: Html | null): string {
  if (content === null) return "";
  return form === "block" ? `<${tag}>${content.toString()}</${tag.split(" ")[0]}>` : content.toString();
}

/** Where a record is printed. */
type Place = Required<Filling> & { form: string };

/** The day stands for a title that is the name of a file. */
const plainNameOf = ({ isUntitled, takenAt, title }: Photo): string =>
  isUntitled && takenAt !== null ? takenAt.slice(0, 10) : title;

function printPhoto(photo: Photo | undefined, place: Place): Html | null {
  const { form, origin } = place;
  const picture = photo ? printPicture(photo, place) : null;
  return picture && form === "block" ? html`<a href="${origin}/photos/${photo?.id}">${picture}</a>` : picture;
}

const columnSizes = "auto, (min-width: 60rem) 50rem, (min-width: 45rem) 42rem, 100vw";
const stripSizes = "auto, (min-width: 45rem) 21rem, 50vw";

/** Null if the picture cannot be shown. */
function printPicture(photo: Photo, { origin, nameOf }: Place, sizes = columnSizes): Html | null {
  const { variants, width, height, thumbhash } = photo;
  const alt = photo.altText || nameOf(photo);
  const largest = variants.at(-1);
  if (!largest) return null;
  const srcset = variants.map((variant) => `${origin}${variant.url} ${variant.width}w`).join(", ");
  return html`<img
    src="${origin}${largest.url}"
    srcset="${srcset}"
    sizes="${sizes}"
    width="${width}"
    height="${height}"
    alt="${alt}"
    loading="lazy"
    decoding="async"
    data-thumbhash="${thumbhash}"
  />`;
}

/** As a figure, an album shows its first photos. Each leads to its page, and from there to the next one of the album. */
function printAlbum(album: Album | undefined, strips: Map<number, Photo[]>, place: Place): Html | null {
  const { form, origin } = place;
  if (!album) return null;
  const name = html`<a href="${origin}/albums/${album.id}">${album.name}</a>`;
  if (form === "inline") return name;
  const photos = strips.get(album.id) ?? [];
  const sizes = photos.length === 1 ? columnSizes : stripSizes;
  const pictures = photos.flatMap((photo) => {
    const picture = printPicture(photo, place, sizes);
    return picture ? [html`<a href="${origin}/photos/${photo.id}?album=${album.id}">${picture}</a>`] : [];
  });
  const count = album.photoCount > pictures.length ? ` (${album.photoCount})` : "";
  return html`${pictures.length > 0 ? html`<div class="strip">${pictures}</div>` : ""}
    <figcaption>${name}${count}</figcaption>`;
}

function printFile(file: FileRecord | undefined, { origin }: Place): Html | null {
  return file?.url ? html`<a href="${origin}${file.url}" download>${file.name}</a> (${printSize(file.size)})` : null;
}

function printSize(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1000 ** power;
  return `${power > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}
