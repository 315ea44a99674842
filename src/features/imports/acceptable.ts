import { newAlbumSchema } from "../../content/albums/album.ts";
import { longestTitle, newPhotoSchema } from "../../content/photos/photo.ts";
import { maxTags, uniqueTags } from "../../core/records/tags.ts";
import { hashOfText } from "../../platform/hash.ts";
import type { AlbumItem, PhotoDetails } from "./item.ts";

/** A line that can be stored: whatever bytes a source has for it. */
export const toLine = (text: string, length: number): string =>
  text
    .slice(0, 4 * length)
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, length)
    .toWellFormed();

export const toText = (text: string, length: number): string =>
  text.slice(0, length).replaceAll("\0", "").toWellFormed();

const longestKey = 500;

/** A key of a source as it is stored: an index has no place for long ones. */
export const storedKey = (key: string): string =>
  key.length <= longestKey ? toText(key, longestKey) : `${toText(key, longestKey - 80)}… ${hashOfText(key)}`;

/** What a report says of an item. */
export const toReport = (text: string): string => toText(text, 2000);

/** What a source says of a photo, without what no photo can have. Longer texts are cut. */
export function acceptableDetails<Details extends PhotoDetails>(details: Details): Details {
  const { title, description, altText, tags, place, ...rest } = details;
  const line = toLine(title ?? "", longestTitle);
  const sent = place && newPhotoSchema.shape.place.safeParse({ ...place, name: toLine(place.name ?? "", 300) || null });
  return {
    ...rest,
    ...(line && { title: line }),
    ...(description && { description: toText(description, 20_000) }),
    ...(altText && { altText: toText(altText, 2000) }),
    ...(tags && { tags: acceptableTags(tags) }),
    ...(sent?.data && { place: sent.data }),
  } as Details;
}

export const acceptableTags = (tags: string[]): string[] =>
  uniqueTags(
    tags
      .slice(0, 50 * maxTags)
      .map((tag) => toLine(tag, 50))
      .filter(Boolean),
  ).slice(0, maxTags);

/** The name and the description of an album. */
export const acceptableAlbum = ({ name, description }: AlbumItem) =>
  newAlbumSchema.pick({ name: true, description: true }).parse({
    name: toLine(name, 300) || "…",
    description: toText(description, 20_000),
  });
