import type { Colours } from "./colours.ts";
import { createEncoding, type Matrix } from "./srgb.ts";

/** Interleaved samples of three colours, as numbers from 0 to `white`. */
type Samples = { data: Uint8Array | Uint16Array; white: number };

/** The luminance of SDR white in an HDR picture, in cd/m² (ITU-R BT.2408). */
const whiteLuminance = 203;
/** The nominal peak of a display of HLG, in cd/m², and the exponent of its system (ITU-R BT.2100). */
const [hlgPeak, hlgGamma] = [1000, 1.2];
const [pq, hlg, linear, gamma22, gamma28] = [16, 18, 8, 4, 5];
const [bt2020, dciP3, displayP3] = [9, 11, 12];

/** From linear light of other primaries to that of sRGB, both with the white D65. */
const matrices: Record<number, Matrix> = {
  [bt2020]: [1.660491, -0.587641, -0.07285, -0.12455, 1.1329, -0.008349, -0.018151, -0.100579, 1.11873],
  [displayP3]: [1.22494, -0.22494, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274],
};
matrices[dciP3] = matrices[displayP3] as Matrix;
const identity: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** The share of each colour in the luminance of BT.2020. */
const luminance = [0.2627, 0.678, 0.0593] as const;

/** A few pixels may be brighter than the peak to which the others are mapped. */
const brighterShare = 0.001;

/** Whether a picture must be converted to be shown in sRGB. Unspecified and unusual colours count as sRGB. */
export const needsConversion = ({ primaries, transfer }: Colours) =>
  primaries in matrices || [pq, hlg, linear].includes(transfer);

/** The samples in sRGB, 8 bits each. What is brighter than white in an HDR picture is mapped to the range below it. */
export function toSRGB({ data, white }: Samples, { primaries, transfer }: Colours): Uint8Array {
  const light = lightOf(data, white, transfer);
  if (transfer === hlg) applySystemGamma(light);
  if (transfer === pq || transfer === hlg) mapTones(light);
  return encode(light, matrices[primaries] ?? identity);
}

/** Linear light, with 1 for SDR white. */
function lightOf(data: Samples["data"], white: number, transfer: number): Float32Array {
  const toLight = curves[transfer] ?? fromSRGB;
  const table = Float32Array.from({ length: white + 1 }, (_, code) => toLight(code / white));
  const light = new Float32Array(data.length);
  for (let i = 0; i < data.length; i++) light[i] = table[Math.min(data[i] as number, white)] as number;
  return light;
}

const curves: Record<number, (signal: number) => number> = {
  [linear]: (signal) => signal,
  [gamma22]: (signal) => signal ** 2.2,
  [gamma28]: (signal) => signal ** 2.8,
  [pq](signal) {
    const root = signal ** (1 / 78.84375);
    return (
      ((Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125) * 10_000) /
      whiteLuminance
    );
  },
  // Relative to the brightest light of the scene.
  [hlg]: (signal) =>
    signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12,
};

const fromSRGB = (signal: number) => (signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4);

/** From light of the scene to light of the display. */
function applySystemGamma(light: Float32Array): void {
  const [red, green, blue] = luminance;
  for (let i = 0; i < light.length; i += 3) {
    const scene = red * light[i]! + green * light[i + 1]! + blue * light[i + 2]!;
    const scale = (hlgPeak / whiteLuminance) * scene ** (hlgGamma - 1);
    for (let c = i; c < i + 3; c++) light[c]! *= scale;
  }
}

/** Reinhard's curve on the brightest colour of each pixel, up to the peak of the picture: without highlights it changes nothing. */
function mapTones(light: Float32Array): void {
  const peak = Math.max(1, findPeak(light));
  for (let i = 0; i < light.length; i += 3) {
    const top = Math.max(light[i]!, light[i + 1]!, light[i + 2]!);
    const scale = (1 + top / peak ** 2) / (1 + top);
    for (let c = i; c < i + 3; c++) light[c]! *= scale;
  }
}

/** The brightest light of the picture, but for a few pixels. */
function findPeak(light: Float32Array): number {
  const steps = 1024;
  const highest = 10_000 / whiteLuminance;
  const counts = new Uint32Array(steps + 1);
  for (let i = 0; i < light.length; i += 3)
    counts[Math.min(steps, Math.floor((Math.max(light[i]!, light[i + 1]!, light[i + 2]!) / highest) * steps))]!++;
  let left = (light.length / 3) * brighterShare;
  for (let step = steps; step > 0; step--) if ((left -= counts[step]!) < 0) return ((step + 1) / steps) * highest;
  return 1;
}

function encode(light: Float32Array, [rr, rg, rb, gr, gg, gb, br, bg, bb]: Matrix): Uint8Array {
  const toByte = createEncoding();
  const encoded = new Uint8Array(light.length);
  for (let i = 0; i < light.length; i += 3) {
    const [r, g, b] = [light[i]!, light[i + 1]!, light[i + 2]!];
    encoded[i] = toByte(rr * r + rg * g + rb * b);
    encoded[i + 1] = toByte(gr * r + gg * g + gb * b);
    encoded[i + 2] = toByte(br * r + bg * g + bb * b);
  }
  return encoded;
}
