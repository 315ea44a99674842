import { thumbHashToDataURL } from "thumbhash";

/** Shows a blurred preview of each picture that comes into view before it is loaded. */
export function showPlaceholders(part: ParentNode): void {
  for (const image of part.querySelectorAll<HTMLImageElement>("img[data-thumbhash]"))
    if (!image.complete) inView.observe(image);
}

/** Only what is seen is drawn: the previews of a whole page would keep a phone busy while it shows the first picture. */
const inView = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
    inView.unobserve(target);
    if (!target.complete) showPlaceholder(target);
  }
});

function showPlaceholder(image: HTMLImageElement): void {
  image.style.background = `center / cover url(${preview(image.dataset["thumbhash"] ?? "")})`;
  const remove = () => image.style.removeProperty("background");
  image.addEventListener("load", remove, { once: true });
  image.addEventListener("error", remove, { once: true });
}

const preview = (thumbhash: string): string =>
  thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
