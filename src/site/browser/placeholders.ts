import { thumbHashToDataURL } from "thumbhash";

/** Shows a blurred preview of each picture that is still loading. */
export function showPlaceholders(part: ParentNode): void {
  for (const image of part.querySelectorAll<HTMLImageElement>("img[data-thumbhash]")) {
    if (image.complete) continue;
    image.style.background = `center / cover url(${preview(image.dataset["thumbhash"] ?? "")})`;
    const remove = () => image.style.removeProperty("background");
    image.addEventListener("load", remove, { once: true });
    image.addEventListener("error", remove, { once: true });
  }
}

const preview = (thumbhash: string): string =>
  thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
