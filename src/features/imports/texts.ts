import { newAlbumSchema } from "../../content/albums/album.ts";
import { newPhotoSchema } from "../../content/photos/photo.ts";
import { maxTags, uniqueTags } from "../../core/records/tags.ts";
import { hashOfText } from "../../platform/hash.ts";
import type { AlbumItem, PhotoDetails } from "../../../convert/format/lines.ts";
import { toLine, toText } from "../../platform/text.ts";

const longestKey = 500;

/** A key of a source as it is stored: an index has no place for long ones. */
export const storedKey = (key: string): string =>
  key.length <= longestKey ? toStorable(key, longestKey) : `${toStorable(key, longestKey - 80)}… ${hashOfText(key)}`;

export const toReport = (text: string): string => toStorable(text, 2000);

/** Keys stay as they are, as far as they can: what was imported is known by them. */
const toStorable = (text: string, length: number): string => text.slice(0, length).replaceAll("\0", "").toWellFormed();

/** What a source says of a photo, without what no photo can have. Longer texts are cut. */
export function acceptableDetails<Details extends PhotoDetails>(details: Details): Details {
  const { title, description, altText, tags, place, ...rest } = details;
  const [line, text] = [toLine(title ?? ""), toText(description ?? "")];
  const sent = place && newPhotoSchema.shape.place.safeParse({ ...place, name: toLine(place.name ?? "") || null });
  return {
    ...rest,
    ...(line && { title: line }),
    ...(text && { description: text }),
    ...(altText && { altText: toText(altText, 2000) }),
    ...(tags && { tags: acceptableTags(tags) }),
    ...(sent?.data && { place: sent.data }),
  } as Details;
}

export function acceptableTags(tags: string[]): string[] {
  const lines = tags.slice(0, 50 * maxTags).map((tag) => toLine(tag, 50));
  return uniqueTags(lines.filter(Boolean)).slice(0, maxTags);
}

export const acceptableAlbum = ({ name, description }: AlbumItem) =>
  newAlbumSchema.pick({ name: true, description: true }).parse({
    name: toLine(name) || "…",
    description: toText(description),
  });
