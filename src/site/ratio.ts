import type { Photo } from "../photos/photo.ts";

/** The ratios of width to height that pictures in lists have, in twentieths. Other pictures are cropped. */
const [narrowest, widest] = [10, 50];

/** The class with the ratio of a picture: styles cannot stand in the page. */
export function ratioClass({ width, height, variants }: Pick<Photo, "width" | "height" | "variants">): string {
  const shown = variants.at(-1) ?? { width, height };
  return `r${Math.min(widest, Math.max(narrowest, Math.round((20 * shown.width) / shown.height)))}`;
}

/** The styles of these classes: `.r30{--r:1.5}`. */
export const ratioStyles = (): string =>
  Array.from({ length: widest - narrowest + 1 }, (_, index) => narrowest + index)
    .map((ratio) => `.r${ratio}{--r:${ratio / 20}}`)
    .join("");
