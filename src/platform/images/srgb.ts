type Row = [number, number, number];
/** From light of three colours to light of three others. */
export type Matrix = [...Row, ...Row, ...Row];

const steps = 4096;

/** What converts linear light, with 1 for white, to a sample of sRGB with 8 bits. */
export function createEncoding(): (light: number) => number {
  const table = Uint8Array.from({ length: steps + 1 }, (_, step) => {
    const value = step / steps;
    return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
  });
  return (light) => table[Math.round(Math.min(Math.max(light, 0), 1) * steps)]!;
}
