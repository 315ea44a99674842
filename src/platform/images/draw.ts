import type sharp from "sharp";
import type { OverlayOptions } from "sharp";

/** A picture of rectangles and texts. Colours are those of CSS. */
export type Drawing = {
  width: number;
  height: number;
  /** Null for a transparent picture. */
  background: string | null;
  rectangles: readonly Rectangle[];
  texts?: readonly TextBox[];
  /** Instead of `rectangles`, if the first text cannot be drawn. */
  withoutTexts?: readonly Rectangle[];
};

export type Rectangle = Box & { colour: string };

/** A text that is broken into lines. It gets the first of the sizes in which it fits into the box. */
type TextBox = Box & {
  text: string;
  /** A family, such as `serif`, and optionally a weight. */
  font: string;
  /** In pixels, the largest first. */
  sizes: readonly number[];
  colour: string;
};

type Box = { left: number; top: number; width: number; height: number };

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** The drawing as a PNG. A text for which the system has no font is left out. */
export async function draw(library: typeof sharp, drawing: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, background, rectangles, texts = [], withoutTexts = rectangles } = drawing;
  const written: OverlayOptions[] = [];
  let isFirstWritten = texts.length === 0;
  for (const [index, box] of texts.entries()) {
    const text = await drawableText(library, box.text);
    if (text === null) continue;
    written.push(await write(library, { ...box, text }));
    if (index === 0) isFirstWritten = true;
  }
  const shapes = (isFirstWritten ? rectangles : withoutTexts).map(({ left, top, colour, ...size }) => ({
    input: { create: { ...size, channels: 4 as const, background: colour } },
    left,
    top,
  }));
  const picture = library({ create: { width, height, channels: 4, background: background ?? transparent } });
  const png = await picture
    .composite([...shapes, ...written])
    .png({ compressionLevel: 9 })
    .toBuffer();
  return new Uint8Array(png);
}

async function write(library: typeof sharp, box: TextBox): Promise<OverlayOptions> {
  const { left, top, width, height, text, sizes } = box;
  for (const size of sizes) {
    const { data, info } = await render(library, box, size);
    const isLast = size === sizes.at(-1);
    if ((info.height > height || info.width > width) && !isLast) continue;
    const shown = await library(data).resize({ width, height, fit: "inside", withoutEnlargement: true }).toBuffer();
    const unused = Math.max(0, width - info.width);
    return { input: shown, left: left + (rightToLeft.test(text) ? unused : 0), top };
  }
  throw new Error("A text has no sizes.");
}

function render(library: typeof sharp, { text, font, width, colour }: TextBox, size: number) {
  const markup = `<span foreground="${colour}">${escape(text)}</span>`;
  return library({ text: { text: markup, font: `${font} ${size}`, width, dpi: 72, rgba: true, wrap: "word-char" } })
    .png()
    .toBuffer({ resolveWithObject: true });
}

/** The script of the first letter decides where lines begin. */
const rightToLeft = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Without symbols for which there is no font; null if a letter or digit of the text has none. */
async function drawableText(library: typeof sharp, text: string): Promise<string | null> {
  const unknown = new Set<string>();
  // Where there is no font at all, there is none for this letter either.
  for (const character of new Set(`n${text}`)) {
    if (/[\s\p{M}\p{C}]/u.test(character) || (await isDrawable(library, character))) continue;
    if (/[\p{L}\p{N}]/u.test(character)) return null;
    unknown.add(character);
  }
  const drawable = Array.from(text)
    .filter((character) => !unknown.has(character))
    .join("")
    .trim();
  return drawable === "" ? null : drawable;
}

const known = new Map<string, Promise<boolean>>();
const maxKnown = 10_000;

function isDrawable(library: typeof sharp, character: string): Promise<boolean> {
  let drawable = known.get(character);
  if (!drawable) {
    if (known.size >= maxKnown) known.clear();
    known.set(character, (drawable = hasGlyph(library, character)));
  }
  return drawable;
}

/** For a character that no font has, the library draws a frame, which may contain the number of the character. */
async function hasGlyph(library: typeof sharp, character: string): Promise<boolean> {
  const { data, info } = await library({ text: { text: escape(character), font: "sans 48", dpi: 72 } })
    .extractChannel(0)
    .trim({ background: "#000", threshold: 10 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const isInk = (x: number, y: number) => (data[(y * width + x) * channels] ?? 0) > 96;
  const inks = Array.from({ length: 5 }, (_, inset) => inkOfRing(isInk, width, height, inset));
  return inks[0] !== "full" || inks.find((ink) => ink !== "full") !== "empty";
}

/** Whether all, some or none of the pixels at this distance from the edges are ink. */
function inkOfRing(
  isInk: (x: number, y: number) => boolean,
  width: number,
  height: number,
  inset: number,
): "full" | "empty" | "some" {
  const [right, bottom] = [width - 1 - inset, height - 1 - inset];
  if (right <= inset || bottom <= inset) return "some";
  const seen = new Set<boolean>();
  for (let x = inset; x <= right; x++) seen.add(isInk(x, inset)).add(isInk(x, bottom));
  for (let y = inset; y <= bottom; y++) seen.add(isInk(inset, y)).add(isInk(right, y));
  return seen.size === 2 ? "some" : seen.has(true) ? "full" : "empty";
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
