import { thumbHashToAverageRGBA, thumbHashToDataURL } from "thumbhash";

const previews = new Map<string, string>();
const maxPreviews = 2000;

/** A blurred preview as a data URL. The latest are remembered. */
export function previewOf(thumbhash: string): string {
  const known = previews.get(thumbhash);
  if (known !== undefined) return known;
  const made = thumbHashToDataURL(bytesOf(thumbhash));
  if (previews.size >= maxPreviews) previews.delete(previews.keys().next().value ?? "");
  previews.set(thumbhash, made);
  return made;
}

/** The average colour, for CSS. */
export function colourOf(thumbhash: string): string {
  const { r, g, b, a } = thumbHashToAverageRGBA(bytesOf(thumbhash));
  return `rgb(${r * 255} ${g * 255} ${b * 255} / ${a})`;
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
