import { parseMoment } from "../images/dates.ts";
import { numbersIn, toDegrees, withReference } from "../images/place.ts";

/** What a file beside a picture says of it. */
export type Sidecar = {
  title: string | null;
  description: string | null;
  /** In milliseconds; without a time zone, what the clock showed, as if that were UTC. */
  takenAt: { time: number; hasZone: boolean } | null;
  place: { latitude: number; longitude: number } | null;
  tags: string[];
  /** 1 to 5 stars; -1 if it was rejected. */
  rating: number | null;
};

/** Larger ones are not read: they hold the history of edits, or are no sidecars. */
export const maxSidecarBytes = 2 ** 20;

/** The first of these that is a time. */
export function findMoment(texts: (string | null)[]): Sidecar["takenAt"] {
  for (const text of texts) {
    const time = parseMoment(text ?? "");
    if (time !== null) return { time, hasZone: /:\d\d[\d.,]* ?(Z|UTC|GMT|[+-]\d\d:?\d\d)$/.test((text ?? "").trim()) };
  }
  return null;
}

/** A place from texts such as `48,55.684N`, `48.928 N` or `48 deg 55' 41" N`. The place (0, 0) means none. */
export function findPlace(latitude: string | null, longitude: string | null): Sidecar["place"] {
  const angle = (text: string | null, most: number) =>
    withReference(toDegrees(numbersIn(text ?? ""), most), (text ?? "").trim().slice(-1));
  const place = { latitude: angle(latitude, 90), longitude: angle(longitude, 180) };
  if (place.latitude === null || place.longitude === null) return null;
  if (place.latitude === 0 && place.longitude === 0) return null;
  return { latitude: place.latitude, longitude: place.longitude };
}

export function findRating(text: string | null): number | null {
  const rating = Number(text ?? "");
  return text?.trim() && rating >= -1 && rating <= 5 ? rating : null;
}

/** The first of these lists that has tags. Of a tag in a tree (`Places/Lisbon`), the last part is taken. */
export function findTags(lists: { tags: string[]; separator?: string }[]): string[] {
  const { tags = [], separator } = lists.find((one) => one.tags.length > 0) ?? {};
  if (separator === undefined) return tags;
  return tags.map((tag) => tag.split(separator).findLast((part) => part.trim() !== "") ?? "");
}
