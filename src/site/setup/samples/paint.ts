import { setImmediate } from "node:timers/promises";

export type Colour = readonly [red: number, green: number, blue: number];

/** A landscape of gradients. All places and lengths are fractions of the height, or of the width for `x`. */
export type Scene = {
  width: number;
  height: number;
  /** Makes the shapes of two scenes differ. */
  seed: number;
  /** From the top to the horizon. */
  sky: readonly Colour[];
  horizon: number;
  sun?: { x: number; y: number; radius: number; colour: Colour; glow: number };
  stars?: number;
  /** Hills, from far to near: where their tops are on average, how high they rise, and how many of them there are. */
  hills: readonly { top: number; rise: number; count: number; roughness?: number; colour: Colour; mist?: Colour }[];
  /** Below this place is water, in which the rest is mirrored. */
  water?: { top: number; colour: Colour; depth: number };
};

/** Rows that are painted before other work gets its turn. */
const rowsAtOnce = 16;

/** The pixels of a scene: red, green and blue, row by row. */
export async function paint(scene: Scene): Promise<Buffer> {
  const { width, height, seed, water } = scene;
  const pixels = Buffer.alloc(width * height * 3);
  const colour = new Float64Array(3);
  const paintPlace = createBrush(scene, colour);
  for (let y = 0; y < height; y++) {
    if (y % rowsAtOnce === 0) await setImmediate();
    const place = y / height;
    const depth = water ? (place - water.top) / (1 - water.top) : -1;
    for (let x = 0; x < width; x++) {
      if (water && depth >= 0) {
        // The mirror image is shorter than the original, and broken by waves that grow towards the viewer.
        const wave = Math.sin(place * 900 + 5 * noise(x / 90, seed + y / 7)) * (0.002 + depth * 0.012);
        paintPlace(x, Math.max(0, water.top - (place - water.top) * 0.8 + wave));
        blend(colour, water.colour, water.depth * (0.4 + 0.6 * depth));
      } else paintPlace(x, place);
      // Grain, without which gradients show steps.
      const grain = (random(x, y, seed) - 0.5) * 5;
      const start = (y * width + x) * 3;
      for (let part = 0; part < 3; part++) pixels[start + part] = clamp((colour[part] as number) + grain);
    }
  }
  return pixels;
}

/** Returns what sets the colour to that at a column, and a place between the top and the bottom. */
function createBrush(scene: Scene, colour: Float64Array): (x: number, place: number) => void {
  const { sky, horizon, sun, stars = 0, hills, width, height, seed } = scene;
  const tops = hills.map((hill, index) => topsOf(scene, hill, index));

  return (x, place) => {
    for (let index = tops.length - 1; index >= 0; index--) {
      if (place < ((tops[index] as Float64Array)[x] as number)) continue;
      const hill = hills[index] as Scene["hills"][number];
      colour.set(hill.colour);
      if (hill.mist) blend(colour, hill.mist, (place - hill.top + hill.rise / 2) * 2.6);
      return;
    }
    paintSky(x, place);
  };

  function paintSky(x: number, place: number): void {
    const step = Math.min(0.9999, place / horizon) * (sky.length - 1);
    const index = Math.floor(step);
    colour.set(sky[index] as Colour);
    blend(colour, sky[index + 1] as Colour, smooth(step - index));
    if (stars > 0 && random(x >> 1, Math.floor(place * height) >> 1, seed + 9) < stars * (1 - place)) {
      blend(colour, starlight, random(x >> 1, seed, 3));
    }
    if (!sun) return;
    const distance = Math.sqrt((((x / width - sun.x) * width) / height) ** 2 + (place - sun.y) ** 2);
    blend(colour, sun.colour, sun.glow * Math.exp(-distance / (sun.radius * 4)));
    blend(colour, sun.colour, smooth((sun.radius - distance) / 0.004 + 0.5));
  }
}

const starlight: Colour = [255, 250, 240];

/** Where a hill begins, in each column. */
function topsOf({ width, seed }: Scene, hill: Scene["hills"][number], index: number): Float64Array {
  const { top, rise, count, roughness = 0.5 } = hill;
  return Float64Array.from({ length: width }, (_, x) => {
    let [height, weight, total] = [0, 1, 0];
    for (let octave = 0; octave < 7; octave++) {
      height += weight * noise((x / width) * count * 2 ** octave, seed * 31 + index * 7 + octave);
      total += weight;
      weight *= roughness;
    }
    return top - rise * (height / total - 0.5) * 2;
  });
}

/** Between 0 and 1, without jumps. */
function noise(x: number, seed: number): number {
  const left = Math.floor(x);
  const row = Math.floor(seed);
  const at = (column: number) => random(column, row, 7);
  return at(left) + (at(left + 1) - at(left)) * smooth(x - left);
}

/** Between 0 and 1, always the same for the same numbers. */
function random(x: number, y: number, seed: number): number {
  let value = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ Math.imul(seed | 0, 1_274_126_177);
  value = Math.imul(value ^ (value >>> 13), 1_103_515_245);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}

function smooth(value: number): number {
  const part = Math.min(1, Math.max(0, value));
  return part * part * (3 - 2 * part);
}

/** Moves the colour towards another one. */
function blend(colour: Float64Array, other: Colour, part: number): void {
  const share = Math.min(1, Math.max(0, part));
  colour[0] = (colour[0] as number) + (other[0] - (colour[0] as number)) * share;
  colour[1] = (colour[1] as number) + (other[1] - (colour[1] as number)) * share;
  colour[2] = (colour[2] as number) + (other[2] - (colour[2] as number)) * share;
}

const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
