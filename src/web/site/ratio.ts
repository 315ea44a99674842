import type { Photo } from "../../content/photos/photo.ts";

/** The ratios of width to height that pictures in lists have, in twentieths. Other pictures are cropped. */
const [narrowest, widest] = [10, 50];

type Shape = Pick<Photo, "width" | "height" | "variants">;

/** The class with the ratio of a picture: styles cannot be written into the page. */
export const ratioClass = (photo: Shape): string => `r${twentieths(photo)}`;

export const ratioOf = (photo: Shape): number => twentieths(photo) / 20;

function twentieths({ width, height, variants }: Shape): number {
  const shown = variants.at(-1) ?? { width, height };
  return Math.min(widest, Math.max(narrowest, Math.round((20 * shown.width) / shown.height)));
}

/** The styles of these classes: `.r30{--r:1.5}`. */
export const ratioStyles = (): string =>
  Array.from({ length: widest - narrowest + 1 }, (_, index) => narrowest + index)
    .map((ratio) => `.r${ratio}{--r:${ratio / 20}}`)
    .join("");
