import { z } from "zod";
import { getAlbum } from "../../../content/albums/store.ts";
import { findIDBySlug } from "../../../content/blog/slugs.ts";
import { findPostSummaries } from "../../../content/blog/summaries.ts";
import { invalid, missing, Problem } from "../../../platform/errors.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { getPhoto } from "../../../content/photos/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Route } from "../../../platform/http/route.ts";
import { queryInteger } from "../../../platform/http/validate.ts";
import { isStorable } from "../../../platform/text.ts";
import { findAuthors, shownName } from "../author.tsx";
import { readAlbumID, readID, type Visit } from "../page.ts";
import { findAlbumNames, nameOf } from "../photo-name.ts";
import type { Renderer } from "../render.ts";
import { cardPath, cardSize } from "./card-image.ts";
import { webRouteWithQuery, webText } from "./web-route.ts";

const pixels = queryInteger(100_000).optional();

const embedQuery = z.object({
  url: z.string().min(1).max(4000),
  format: z.enum(["json", "xml"]).default("json"),
  maxwidth: pixels,
  maxheight: pixels,
});

type EmbedQuery = z.output<typeof embedQuery>;

/** A record as other sites show it. */
type Embedded = { type: "photo" | "link"; title: string; ownerID: number } & Partial<Picture> & Thumbnail;
type Picture = { url: string; width: number; height: number };
type Thumbnail = { thumbnail_url?: string; thumbnail_width?: number; thumbnail_height?: number };

/** How other sites show a link to a photo, an album, a post or a page (oembed.com), as guests see them. */
export function embedRoutes(db: Reader, renderer: Renderer): Route[] {
  return [
    webRouteWithQuery(renderer, embedQuery, {
      path: "/oembed",
      contentType: "application/json",
      async handle({ query, ...visit }) {
        // The specification has this status for a format that a site does not offer.
        if (query.format === "xml")
          throw new Problem("unimplemented", "oEmbed is available as JSON only: send format=json.");
        const { ownerID, ...found } = await findEmbedded(db, visit, query);
        const author = (await findAuthors(db, [{ ownerID }])).get(ownerID);
        const fields = {
          version: "1.0",
          ...found,
          ...(author !== undefined && {
            author_name: shownName(author),
            author_url: visit.origin + visit.links.person(author.username),
          }),
          provider_name: visit.settings.siteName,
          provider_url: `${visit.origin}/`,
          cache_age: 3600,
        };
        return webText("application/json", JSON.stringify(fields));
      },
    }),
  ];
}

async function findEmbedded(db: Reader, visit: Visit, query: EmbedQuery): Promise<Embedded> {
  const { origin } = visit;
  const { pathname, host } = readURL(query.url);
  if (host !== new URL(origin).host) throw missing("page of this site with that URL");
  const [, section, part = "", rest] = pathname.replace(/\/$/, "").split("/");
  if (rest !== undefined) throw missing("photo, album or post with that URL");
  if (section === "photos") {
    const photo = await getPhoto(db, null, readID(part));
    const picture = fit(photo, query);
    if (!picture) throw missing("picture of this photo");
    return {
      type: "photo",
      title: nameOf(photo, visit.language, await findAlbumNames(db, null, [photo])),
      ownerID: photo.ownerID,
      url: origin + picture.url,
      width: picture.width,
      height: picture.height,
      ...thumbnailOf(origin, photo),
    };
  }
  if (section === "albums") {
    const album = await getAlbum(db, null, readAlbumID(part));
    return { type: "link", title: album.name, ownerID: album.ownerID, ...thumbnailOf(origin, album.cover) };
  }
  const slug = section === "blog" ? part : part === "" ? (section ?? "") : "";
  const id = await findIDBySlug(db, slug.normalize("NFC"));
  const post = id === null ? undefined : (await findPostSummaries(db, null, [id])).get(id);
  if (!post || (section !== "blog" && post.kind !== "page")) throw missing("photo, album or post with that URL");
  const card = {
    thumbnail_url: origin + cardPath(post.slug),
    thumbnail_width: cardSize.width,
    thumbnail_height: cardSize.height,
  };
  const thumbnail = thumbnailOf(origin, post.cover);
  const { title, ownerID } = post;
  return { type: "link", title, ownerID, ...(thumbnail.thumbnail_url === undefined ? card : thumbnail) };
}

/** The path is decoded. */
function readURL(text: string): { pathname: string; host: string } {
  try {
    const { pathname, host, protocol } = new URL(text);
    const decoded = decodeURIComponent(pathname);
    if (!/^https?:$/.test(protocol) || !isStorable(decoded)) throw new TypeError();
    return { pathname: decoded, host };
  } catch {
    throw invalid(`"url" must be the URL of a page of this site.`, "url");
  }
}

/** The largest variant within the limits of the client, or else the smallest, made smaller. */
function fit({ variants }: Photo, { maxwidth = Infinity, maxheight = Infinity }: EmbedQuery): Picture | undefined {
  const chosen = variants.findLast(({ width, height }) => width <= maxwidth && height <= maxheight) ?? variants[0];
  if (!chosen) return undefined;
  const scale = Math.min(1, maxwidth / chosen.width, maxheight / chosen.height);
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale));
  return { url: chosen.url, width: scaled(chosen.width), height: scaled(chosen.height) };
}

function thumbnailOf(origin: string, photo: Photo | null): Thumbnail {
  const variant = photo?.variants.find(({ width }) => width >= 640) ?? photo?.variants.at(-1);
  if (!variant) return {};
  const { url, width, height } = variant;
  return { thumbnail_url: origin + url, thumbnail_width: width, thumbnail_height: height };
}
