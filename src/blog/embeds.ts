import type { Album } from "../albums/album.ts";
import { findAlbums } from "../albums/store.ts";
import type { FileRecord } from "../files/file.ts";
import { findPresentedFiles } from "../files/store.ts";
import type { Photo } from "../photos/photo.ts";
import { findPhotos } from "../photos/store.ts";
import type { Reader } from "../platform/database/database.ts";
import type { Viewer } from "../platform/http/route.ts";
import { html, type Html } from "../platform/markup.ts";

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
  for (const [, , kind, id] of text.matchAll(references)) {
    byName.set(`${kind}:${id}`, { kind: kind as EmbedKind, id: Number(id) });
  }
  return [...byName.values()];
}

/** The HTML for this viewer: a record that does not exist, or that the viewer may not see, leaves nothing. */
export async function fillEmbeds(db: Reader, viewer: Viewer, text: string): Promise<string> {
  const embeds = listEmbeds(text);
  const idsOf = (kind: EmbedKind) => embeds.flatMap((embed) => (embed.kind === kind ? [embed.id] : []));
  const [photos, albums, files] = await Promise.all([
    findPhotos(db, viewer, idsOf("photo")),
    findAlbums(db, viewer, idsOf("album")),
    findPresentedFiles(db, viewer, idsOf("file")),
  ]);
  return text
    .replace(references, (_, form: string, kind: string, id: string) => {
      if (kind === "photo") return print(form, "figure", printPhoto(photos.get(Number(id)), form));
      if (kind === "album") return print(form, "figure", printAlbum(albums.get(Number(id)), form));
      return print(form, "p", printFile(files.get(Number(id))));
    })
    .replace(unknown, "");
}

function print(form: string, element: "figure" | "p", content: Html | null): string {
  if (content === null) return "";
  return form === "block" ? `<${element}>${content.toString()}</${element}>` : content.toString();
}

function printPhoto(photo: Photo | undefined, form: string): Html | null {
  const picture = photo ? printPicture(photo, photo.altText || photo.title) : null;
  return picture && form === "block" ? html`<a href="/photos/${photo?.id}">${picture}</a>` : picture;
}

/** Null if the picture cannot be shown. */
function printPicture({ variants, width, height, thumbhash }: Photo, alt: string): Html | null {
  const largest = variants.at(-1);
  if (!largest) return null;
  const srcset = variants.map((variant) => `${variant.url} ${variant.width}w`).join(", ");
  return html`<img
    src="${largest.url}"
    srcset="${srcset}"
    sizes="auto, (min-width: 45rem) 42rem, 100vw"
    width="${width}"
    height="${height}"
    alt="${alt}"
    loading="lazy"
    decoding="async"
    data-thumbhash="${thumbhash}"
  />`;
}

function printAlbum(album: Album | undefined, form: string): Html | null {
  if (!album) return null;
  const link = (content: unknown) => html`<a href="/albums/${album.id}">${content}</a>`;
  const picture = form === "block" && album.cover ? printPicture(album.cover, album.name) : null;
  if (form === "inline") return link(album.name);
  return html`${picture ? link(picture) : ""}
    <figcaption>${link(album.name)}</figcaption>`;
}

function printFile(file: FileRecord | undefined): Html | null {
  return file?.url ? html`<a href="${file.url}" download>${file.name}</a> (${printSize(file.size)})` : null;
}

function printSize(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1000 ** power;
  return `${power > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}
