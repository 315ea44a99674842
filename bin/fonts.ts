// The two typefaces of all pages: their files as they are in the packages, and the styles that load them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Build } from "../src/platform/built-files.ts";

type Fallback = {
  /** The names of fonts that are as wide as each other, for the normal and the bold weight. */
  normal: string[];
  bold: string[];
  /** How wide our font is compared with them, in percent, by weight: measured on a text in English and German. */
  widths: { 400: number; 500: number; 600: number; 700: number };
};

type Typeface = {
  name: "serif" | "sans";
  family: string;
  package: string;
  styles: ("normal" | "italic")[];
  /** Of the size of the font. */
  ascent: number;
  descent: number;
  fallbacks: Fallback[];
};

const subsets = ["cyrillic", "greek", "latin-ext", "latin"];

const typefaces: Typeface[] = [
  {
    name: "serif",
    family: "STIX Two Text",
    package: "stix-two-text",
    styles: ["normal", "italic"],
    ascent: 0.762,
    descent: 0.238,
    fallbacks: [
      {
        normal: ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif", "Tinos"],
        bold: ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold", "Tinos Bold"],
        widths: { 400: 105.1, 500: 108.6, 600: 104.9, 700: 108.8 },
      },
      {
        normal: ["Noto Serif"],
        bold: ["Noto Serif Bold"],
        widths: { 400: 88.8, 500: 91.7, 600: 89.2, 700: 92.4 },
      },
      {
        normal: ["DejaVu Serif"],
        bold: ["DejaVu Serif Bold"],
        widths: { 400: 82.6, 500: 85.4, 600: 79.7, 700: 82.6 },
      },
    ],
  },
  {
    name: "sans",
    family: "Source Sans 3",
    package: "source-sans-3",
    styles: ["normal"],
    ascent: 1.024,
    descent: 0.4,
    fallbacks: [
      {
        normal: ["Arial", "ArialMT", "Helvetica", "Liberation Sans", "Arimo"],
        bold: ["Arial Bold", "Arial-BoldMT", "Helvetica Bold", "Liberation Sans Bold", "Arimo Bold"],
        widths: { 400: 93.3, 500: 94.7, 600: 89.3, 700: 91.7 },
      },
      {
        normal: ["Roboto"],
        bold: ["Roboto Bold"],
        widths: { 400: 93.8, 500: 95.1, 600: 95, 700: 97.5 },
      },
      {
        normal: ["DejaVu Sans"],
        bold: ["DejaVu Sans Bold"],
        widths: { 400: 82.3, 500: 83.5, 600: 74.9, 700: 76.9 },
      },
    ],
  },
];

/** `name` is that by which pages find the file that they load first: `serif-latin.woff2`. */
export type FontFile = Build["files"][number] & { bytes: Uint8Array };

const directoryOf = (typeface: Typeface) =>
  join(import.meta.dir, "../node_modules/@fontsource-variable", typeface.package);

/** They are packages for development. */
export const hasFonts = (): boolean => typefaces.every((typeface) => existsSync(directoryOf(typeface)));

/** The files, and the licences of both typefaces, which have to go wherever the files go. */
export function listFontFiles(): FontFile[] {
  const files = typefaces.flatMap((typeface) =>
    typeface.styles.flatMap((style) => subsets.map((subset) => readFont(typeface, style, subset))),
  );
  const licences = typefaces.map(
    (typeface) => `${typeface.family}\n\n${readFileSync(join(directoryOf(typeface), "LICENSE"), "utf8")}`,
  );
  const name = "font-licenses.txt";
  return [...files, { name, file: name, isNamedByContent: false, bytes: Buffer.from(licences.join("\n\n")) }];
}

/** The files that nearly every page uses: upright, with the letters of most languages. */
export const listFirstFonts = (): string[] => typefaces.map((typeface) => readFont(typeface, "normal", "latin").file);

/** `@font-face` for every file, and for the fonts of systems that stand in for them until they are loaded. */
export function fontStyles(): string {
  return typefaces.map((typeface) => `${ownFaces(typeface)}\n${fallbackFaces(typeface)}`).join("\n");
}

function ownFaces(typeface: Typeface): string {
  const rules = typeface.styles.flatMap((style) => {
    const sheet = style === "normal" ? "wght.css" : "wght-italic.css";
    const text = readFileSync(join(directoryOf(typeface), sheet), "utf8");
    return subsets.map((subset) => {
      const [, rule = ""] = text.split(`/* ${typeface.package}-${subset}-wght-${style} */`);
      const read = (property: string) => new RegExp(`${property}: ([^;]+);`).exec(rule)?.[1];
      const { file } = readFont(typeface, style, subset);
      return `@font-face{font-family:"${typeface.family}";font-style:${style};font-display:swap;font-weight:${read("font-weight")};src:url(/assets/${file}) format("woff2");unicode-range:${read("unicode-range")}}`;
    });
  });
  return rules.join("\n");
}

/** Lines of text are as long and as high in them as in the font itself, so nothing moves when it arrives. */
function fallbackFaces({ name, ascent, descent, fallbacks }: Typeface): string {
  const percent = (share: number) => `${(share * 100).toFixed(1).replace(/\.0$/, "")}%`;
  const rules = fallbacks.flatMap(({ normal, bold, widths }, index) =>
    ([400, 500, 600, 700] as const).map((weight) => {
      const scale = widths[weight] / 100;
      const source = (weight < 600 ? normal : bold).map((local) => `local("${local}")`).join();
      const family = `${name}-fallback-${index + 1}`;
      return `@font-face{font-family:${family};font-weight:${weight};src:${source};size-adjust:${percent(scale)};ascent-override:${percent(ascent / scale)};descent-override:${percent(descent / scale)};line-gap-override:0%}`;
    }),
  );
  return rules.join("\n");
}

function readFont({ name, package: from }: Typeface, style: "normal" | "italic", subset: string): FontFile {
  const path = `node_modules/@fontsource-variable/${from}/files/${from}-${subset}-wght-${style}.woff2`;
  const bytes = readFileSync(join(import.meta.dir, "..", path));
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 10);
  const known = `${name}${style === "normal" ? "" : `-${style}`}-${subset}`;
  return { name: `${known}.woff2`, file: `${known}-${hash}.woff2`, isNamedByContent: true, bytes };
}
