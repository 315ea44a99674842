import type { Photo } from "../../../content/photos/photo.ts";
import type { Visit } from "../page.ts";
import { type AlbumNames, altOf } from "../photo-name.ts";

/** A picture for social networks and feeds, with its absolute URL. */
export type CardImage = { url: string; width: number; height: number; alt: string };

/** Networks show cards up to this width. */
const wantedWidth = 1200;

export const cardSize = { width: 1200, height: 630 };

/** The smallest variant that is large enough, or else the largest one; null for a photo without a picture. */
export function cardOfPhoto(
  { origin, language }: Pick<Visit, "origin" | "language">,
  photo: Photo | null,
  albums?: AlbumNames,
): CardImage | null {
  const variants = photo?.variants ?? [];
  const chosen = variants.find(({ width }) => width >= wantedWidth) ?? variants.at(-1);
  if (!photo || !chosen) return null;
  const { url, width, height } = chosen;
  return { url: origin + url, width, height, alt: altOf(photo, language, albums) };
}

/** The picture that is made from the title. */
export const cardPath = (slug: string) => `/blog/${encodeURIComponent(slug)}/card.png`;
