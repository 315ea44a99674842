/** 64 bits that say what a picture looks like, as two unsigned numbers of 32 bits. Copies of a picture differ in few bits. */
export type Look = { high: number; low: number };

const side = 32;
const frequencies = 8;
/** Of 255. Below it, a picture is blank, and its bits would be those of noise. */
const minDeviation = 4;
/** Some frequencies must have an amplitude that can be seen: otherwise all smooth gradients would look the same. */
const [minAmplitude, minAmplitudes] = [10, 10];

/** Cosines of the discrete cosine transform, by frequency and place. */
const cosines = Array.from({ length: frequencies }, (_, frequency) =>
  Array.from(
    { length: side },
    (_, place) =>
      Math.cos((Math.PI * frequency * (2 * place + 1)) / (2 * side)) * Math.sqrt((frequency === 0 ? 1 : 2) / side),
  ),
);

/** The look of a small picture in RGBA; null if it is too even to be told from others. */
export function lookOf(width: number, height: number, rgba: Uint8Array): Look | null {
  const grey = shrink(width, height, toGrey(rgba));
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const variance = grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length;
  if (variance < minDeviation ** 2) return null;
  const amplitudes = transform(grey);
  const visible = amplitudes.slice(1).filter((amplitude) => Math.abs(amplitude) >= minAmplitude);
  if (visible.length < minAmplitudes) return null;
  const sorted = amplitudes.slice(1).toSorted((one, other) => one - other);
  const median = sorted[sorted.length >> 1] as number;
  const toNumber = (some: number[]) => some.reduce((bits, amplitude) => bits * 2 + (amplitude > median ? 1 : 0), 0);
  return { high: toNumber(amplitudes.slice(0, 32)), low: toNumber(amplitudes.slice(32)) };
}

/** On white. */
const toGrey = (rgba: Uint8Array): Float64Array =>
  Float64Array.from({ length: rgba.length / 4 }, (_, index) => {
    const [red = 0, green = 0, blue = 0, alpha = 255] = rgba.subarray(index * 4, index * 4 + 4);
    return 255 + ((0.299 * red + 0.587 * green + 0.114 * blue - 255) * alpha) / 255;
  });

/** To a square, whatever its shape: each place has the mean of the area that it covers. */
function shrink(width: number, height: number, grey: Float64Array): Float64Array {
  const columns = weightsFor(width);
  const rows = weightsFor(height);
  const result = new Float64Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let sum = 0;
      for (const [row, high] of rows[y] ?? [])
        for (const [column, wide] of columns[x] ?? []) sum += (grey[row * width + column] ?? 0) * high * wide;
      result[y * side + x] = sum;
    }
  }
  return result;
}

/** For each place of the square, the pixels that it covers and their parts of it. */
function weightsFor(length: number): [pixel: number, part: number][][] {
  const step = length / side;
  return Array.from({ length: side }, (_, place) => {
    const [start, end] = [place * step, (place + 1) * step];
    const parts: [number, number][] = [];
    for (let pixel = Math.floor(start); pixel < Math.min(length, end); pixel++) {
      const part = Math.min(end, pixel + 1) - Math.max(start, pixel);
      if (part > 0) parts.push([pixel, part / step]);
    }
    return parts;
  });
}

/** The amplitudes of the lowest frequencies, row by row. */
function transform(grey: Float64Array): number[] {
  const ofRows = cosines.map((wave) =>
    Array.from({ length: side }, (_, y) =>
      wave.reduce((sum, cosine, x) => sum + cosine * (grey[y * side + x] ?? 0), 0),
    ),
  );
  return cosines.flatMap((wave) =>
    ofRows.map((values) => wave.reduce((sum, cosine, y) => sum + cosine * (values[y] ?? 0), 0)),
  );
}

/** In how many bits two numbers of 32 bits differ. */
export function countDifferentBits(one: number, other: number): number {
  let bits = one ^ other;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
