import { thumbHashToDataURL } from "thumbhash";

const previews = new Map<string, string>();
const mostPreviews = 2000;

/** A blurred preview as a data URL. The latest are remembered. */
export function previewOf(thumbhash: string): string {
  const known = previews.get(thumbhash);
  if (known !== undefined) return known;
  const made = thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
  if (previews.size >= mostPreviews) previews.delete(previews.keys().next().value ?? "");
  previews.set(thumbhash, made);
  return made;
}
