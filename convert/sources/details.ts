import { acceptableDetails } from "../../src/features/imports/acceptable.ts";
import type { PhotoDetails } from "../../src/features/imports/item.ts";

type Said = {
  title?: string | null;
  description?: string | null;
  tags?: string[];
  place?: { latitude: number; longitude: number; name?: string | null } | null | undefined;
};

/** What a source says of a photo. Programs write the place 0, 0 where they know none. */
export function toPhotoDetails({ title, description, tags = [], place }: Said): PhotoDetails {
  const isKnown = place && (place.latitude !== 0 || place.longitude !== 0);
  return acceptableDetails({
    ...(title && { title }),
    ...(description && { description }),
    tags,
    ...(isKnown && { place: { latitude: place.latitude, longitude: place.longitude, name: place.name ?? null } }),
  });
}
