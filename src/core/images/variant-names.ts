import { hashOfText } from "../../platform/hash.ts";
import type { Format } from "../../platform/images/decoder.ts";
import type { Edits } from "../../platform/images/edits.ts";
import { type Width, widths } from "./image.ts";

/** Increase this when the encoding changes: variants of an older recipe are created again. */
const recipe = 2;
const formats: Format[] = ["avif", "webp", "jpeg"];

/** The name of a stored variant: those of other edits have other names, whichever photo of the same bytes has them. */
export function nameOf(width: Width, format: Format, edits: Edits | null): string {
  const key = edits ? `-${hashOfText(JSON.stringify(edits)).slice(0, 20)}` : "";
  return `${width}-${recipe}${key}.${format}`;
}

/** The names of all variants with these edits. */
export const namesOf = (edits: Edits | null): string[] =>
  widths.flatMap((width) => formats.map((format) => nameOf(width, format, edits)));

/** Whether a variant was created by an earlier recipe and is no longer used. */
export const isOutdatedVariant = (name: string) =>
  /^\d+-\d+(-[\da-f]+)?\.(avif|webp|jpeg)$/.test(name) && name.split(/[-.]/)[1] !== `${recipe}`;
