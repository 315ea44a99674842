import type { CountedAlbum } from "../../../content/albums/shown.ts";
import type { Language } from "../language.ts";
import { commonTexts } from "../texts/common.ts";

/** What an album has: "12 photos · 2 albums". */
export function contentLine(
  { photoCount, albumCount }: Pick<CountedAlbum, "photoCount" | "albumCount">,
  language: Language,
): string {
  const t = commonTexts[language];
  const photos = photoCount > 0 || albumCount === 0 ? [t.photoCount(photoCount)] : [];
  return [...photos, ...(albumCount > 0 ? [t.albumCount(albumCount)] : [])].join(" · ");
}
