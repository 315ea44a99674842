import { maxTags, uniqueTags } from "../../../core/records/tags.ts";
import type { PhotoDetails } from "../item.ts";

type Said = {
  title?: string | null;
  description?: string | null;
  tags?: string[];
  place?: { latitude: number; longitude: number; name?: string | null } | null | undefined;
};

const [maxTitle, maxDescription, maxTag, maxPlaceName] = [300, 20_000, 50, 300];

/** What a source says of a photo, as it can be stored: what is too long is cut, and what cannot be is left out. */
export function toPhotoDetails({ title, description, tags = [], place }: Said): PhotoDetails {
  const name = toLine(title ?? "", maxTitle);
  return {
    ...(name && { title: name }),
    ...(description && { description: toText(description) }),
    tags: toTags(tags),
    ...(place && isPlace(place) && { place: toPlace(place) }),
  };
}

export function toLine(text: string, most = maxTitle): string {
  return cut(
    text
      .slice(0, 4 * most)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
      .trim(),
    most,
  );
}

export const toText = (text: string) => cut(text.replace(/\r\n?/g, "\n").replace(/\0/g, "").trim(), maxDescription);

const cut = (text: string, most: number) =>
  text
    .slice(0, most)
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trim();

const toTags = (tags: string[]) => uniqueTags(tags.map((tag) => toLine(tag, maxTag)).filter(Boolean)).slice(0, maxTags);

const isPlace = ({ latitude, longitude }: NonNullable<Said["place"]>) =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);

const toPlace = ({ latitude, longitude, name }: NonNullable<Said["place"]>) => ({
  latitude,
  longitude,
  name: toLine(name ?? "", maxPlaceName) || null,
});
