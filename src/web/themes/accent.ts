import type { ThemeName } from "../../core/settings/settings.ts";
import { coloursOf } from "./colours.ts";

type Colour = [red: number, green: number, blue: number];

/** What WCAG AA asks for texts. */
const wanted = 4.5;
const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];

/** Styles that show an accent colour of the owner's in a theme, readable in light and dark mode. */
export function accentStyles(theme: ThemeName, accent: string): string {
  const [light, dark] = [fitAccent(theme, "light", accent), fitAccent(theme, "dark", accent)];
  return `:root{${declare(light)}}@media(prefers-color-scheme:dark){:root{${declare(dark)}}}`;
}

/** The nearest to the accent, on the way to black or white, in which texts can be read wherever the theme shows them. */
export function fitAccent(theme: ThemeName, mode: "light" | "dark", accent: string): Colour {
  const { paper, surface, tint } = coloursOf(theme, mode);
  const grounds = [paper, surface, tint].map(parse);
  const end = mode === "light" ? black : white;
  const steps = Array.from({ length: 51 }, (_, step) => mix(parse(accent), end, step / 50));
  return steps.find((colour) => grounds.every((ground) => contrast(colour, ground) >= wanted)) ?? end;
}

function declare(accent: Colour): string {
  const ink = contrast(accent, white) >= wanted ? white : black;
  return `--accent:${print(accent)};--accent-ink:${print(ink)}`;
}

/** As WCAG 2 defines it. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mix = (from: Colour, to: Colour, share: number) =>
  from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share)) as Colour;

export const parse = (text: string) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as Colour;

const print = (colour: Colour) => `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
