import type { Photo } from "../../client/src/index.ts";
import { formatDayOf } from "./format.ts";

/**
 * What the site calls a photo whose title is only the name of a file: its day, with its place. Null if it has a title, or no date.
 */
export function nameWithoutTitle({ isUntitled, takenAt, place }: Photo): string | null {
  if (!isUntitled || takenAt === null) return null;
  return [formatDayOf(takenAt), place?.name].filter(Boolean).join(", ");
}

/** Those who know the file by its name find it. */
export function nameOfPhoto(photo: Photo): string {
  const name = nameWithoutTitle(photo);
  return name === null ? photo.title : `${name} (${photo.title})`;
}
