import type { Colour } from "./files/pictures.ts";

/** Colours of sRGB in other encodings, by the formulas of their standards. All numbers are from 0 to 255. */

const toLight = (code: number) => (code <= 10.314_75 ? code / 255 / 12.92 : ((code / 255 + 0.055) / 1.055) ** 2.4);
const fromLight = (light: number) => 255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
const multiply = (matrix: number[][], colour: number[]) =>
  matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * (colour[i] ?? 0), 0));
const round = (colour: number[]) => colour.map((value) => Math.round(Math.min(255, Math.max(0, value)))) as Colour;

/** From the primaries of sRGB to those of Display P3 and of BT.2020. */
const intoP3 = [
  [0.822_462, 0.177_538, 0],
  [0.033_194, 0.966_806, 0],
  [0.017_083, 0.072_397, 0.910_52],
];
const fromP3 = [
  [1.224_94, -0.224_94, 0],
  [-0.042_057, 1.042_057, 0],
  [-0.019_638, -0.078_636, 1.098_274],
];
const into2020 = [
  [0.627_404, 0.329_283, 0.043_313],
  [0.069_097, 0.919_54, 0.011_362],
  [0.016_391, 0.088_013, 0.895_595],
];

export const toDisplayP3 = (colour: Colour): Colour => round(multiply(intoP3, colour.map(toLight)).map(fromLight));
/** Colours outside of sRGB become the nearest ones in it. */
export const fromDisplayP3 = (colour: Colour): Colour => round(multiply(fromP3, colour.map(toLight)).map(fromLight));
export const toBT2020 = (colour: Colour): Colour => round(multiply(into2020, colour.map(toLight)).map(fromLight));

/** With this luminance for white, in cd/m² (SMPTE ST 2084). */
export function toPQ(colour: Colour, white = 203): Colour {
  const encode = (light: number) => {
    const root = ((light * white) / 10_000) ** (2610 / 16_384);
    return ((3424 / 4096 + (2413 / 128) * root) / (1 + (2392 / 128) * root)) ** (2523 / 32);
  };
  return round(multiply(into2020, colour.map(toLight)).map((light) => 255 * encode(Math.max(0, light))));
}

/** With white at 203 of the 1000 cd/m² of a usual display (ITU-R BT.2100). */
export function toHLG(colour: Colour): Colour {
  const display = multiply(into2020, colour.map(toLight)).map((light) => (light * 203) / 1000);
  const luminance = 0.2627 * display[0]! + 0.678 * display[1]! + 0.0593 * display[2]!;
  const scene = display.map((light) => (luminance > 0 ? light * luminance ** (1 / 1.2 - 1) : 0));
  const encode = (light: number) =>
    light <= 1 / 12 ? Math.sqrt(3 * light) : 0.178_832_77 * Math.log(12 * light - 0.284_668_92) + 0.559_910_73;
  return round(scene.map((light) => 255 * encode(light)));
}
