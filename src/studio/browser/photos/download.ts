import type { Photo } from "../../../../client/src/index.ts";
import { formatNumber } from "../lib/format.ts";
import { say } from "../lib/toasts.ts";
import { photosTexts as t } from "./texts.ts";

/** Browsers ask before more, and there is no archive of chosen photos. */
const mostDownloads = 20;

/** Downloads the originals, one after the other. */
export function downloadPhotos(photos: readonly Photo[]): void {
  if (photos.length > mostDownloads) {
    say({ text: t.tooManyDownloads(formatNumber(mostDownloads)), isFailure: true });
    return;
  }
  for (const { file } of photos) {
    if (!file?.url) continue;
    const link = document.createElement("a");
    link.href = file.url;
    link.download = file.name;
    link.click();
  }
}
