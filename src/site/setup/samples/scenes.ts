import type { Colour, Scene } from "./paint.ts";

const rgb = (hex: number): Colour => [hex >> 16, (hex >> 8) & 255, hex & 255];
const all = (...colours: number[]): Colour[] => colours.map(rgb);

/** `count` hills between two colours, from far to near. Those that are far lie in mist. */
function hills(count: number, from: number, to: number, shape: { top: number; bottom: number; mist?: number }) {
  return Array.from({ length: count }, (_, index) => {
    const part = count === 1 ? 1 : index / (count - 1);
    const [far, near] = [rgb(from), rgb(to)];
    const colour = far.map((value, channel) => value + ((near[channel] as number) - value) * part);
    return {
      top: shape.top + (shape.bottom - shape.top) * part,
      rise: 0.1 + 0.05 * (1 - part),
      count: 2.5 + 2 * part,
      colour: colour as unknown as Colour,
      ...(shape.mist === undefined || part === 1 ? {} : { mist: rgb(shape.mist) }),
    };
  });
}

/** The pictures, by their names. They are landscapes of twelve kinds, in several shapes. */
export const scenes = {
  dawn: {
    width: 1280,
    height: 854,
    seed: 11,
    sky: all(0x3b5f87, 0x9db7cf, 0xf7d9bd, 0xfbe7d0),
    horizon: 0.6,
    sun: { x: 0.66, y: 0.47, radius: 0.045, colour: rgb(0xfff3d6), glow: 0.75 },
    hills: hills(5, 0xb7bfcc, 0x20333f, { top: 0.5, bottom: 0.88, mist: 0xf3dcc6 }),
  },
  lake: {
    width: 1280,
    height: 720,
    seed: 4,
    sky: all(0x1d4e6f, 0x5f9fb5, 0xcfe3dc),
    horizon: 0.55,
    hills: hills(3, 0x7fa3ac, 0x234a4a, { top: 0.42, bottom: 0.53, mist: 0xc5dcd8 }),
    water: { top: 0.56, colour: rgb(0x12404f), depth: 0.55 },
  },
  dunes: {
    width: 1280,
    height: 854,
    seed: 23,
    sky: all(0x6aa3cf, 0xc7dbe4, 0xf6e6cd),
    horizon: 0.5,
    hills: [
      { top: 0.5, rise: 0.06, count: 1.5, roughness: 0.2, colour: rgb(0xe2b077), mist: rgb(0xf0cfa0) },
      { top: 0.62, rise: 0.12, count: 1.2, roughness: 0.15, colour: rgb(0xc98a4b), mist: rgb(0xe0a866) },
      { top: 0.82, rise: 0.14, count: 0.9, roughness: 0.12, colour: rgb(0x9c5f30), mist: rgb(0xc98a4b) },
    ],
  },
  night: {
    width: 1280,
    height: 854,
    seed: 35,
    sky: all(0x060b1e, 0x122246, 0x35507f),
    horizon: 0.75,
    sun: { x: 0.24, y: 0.24, radius: 0.04, colour: rgb(0xf4f1df), glow: 0.35 },
    stars: 0.0035,
    hills: hills(3, 0x1a2947, 0x060a12, { top: 0.68, bottom: 0.9 }),
  },
  tide: {
    width: 1280,
    height: 549,
    seed: 6,
    sky: all(0x51406b, 0xb1668c, 0xf4a377, 0xfbd59a),
    horizon: 0.52,
    sun: { x: 0.5, y: 0.47, radius: 0.06, colour: rgb(0xfff0c4), glow: 0.85 },
    hills: hills(1, 0x59405f, 0x59405f, { top: 0.53, bottom: 0.53 }),
    water: { top: 0.53, colour: rgb(0x3a2d52), depth: 0.5 },
  },
  forest: {
    width: 854,
    height: 1280,
    seed: 17,
    sky: all(0xd9e4df, 0xc9d8d2, 0xdfe8e0),
    horizon: 0.5,
    hills: hills(6, 0xa9c0b5, 0x0f2a22, { top: 0.36, bottom: 0.86, mist: 0xdbe6df }).map((hill) => ({
      ...hill,
      count: 7,
      roughness: 0.82,
    })),
  },
  island: {
    width: 1280,
    height: 960,
    seed: 52,
    sky: all(0x2f86b5, 0x8cc6dd, 0xe4f1ee),
    horizon: 0.6,
    hills: [{ top: 0.6, rise: 0.14, count: 2.2, roughness: 0.45, colour: rgb(0x2f5f57), mist: rgb(0x5d8f80) }],
    water: { top: 0.61, colour: rgb(0x0f6f8a), depth: 0.6 },
  },
  ember: {
    width: 960,
    height: 960,
    seed: 29,
    sky: all(0x2a1626, 0x7d2b3a, 0xdd6a3c, 0xf8b85e),
    horizon: 0.7,
    sun: { x: 0.5, y: 0.56, radius: 0.13, colour: rgb(0xffdf9c), glow: 0.6 },
    hills: hills(4, 0x9a3f3c, 0x1b0f18, { top: 0.64, bottom: 0.9, mist: 0xe07c46 }),
  },
  frost: {
    width: 1280,
    height: 854,
    seed: 41,
    sky: all(0xa9bfd6, 0xd7e2ec, 0xf4f3f0),
    horizon: 0.6,
    hills: [
      { top: 0.42, rise: 0.22, count: 3, roughness: 0.55, colour: rgb(0x7d97b2), mist: rgb(0xdde6ee) },
      { top: 0.58, rise: 0.16, count: 3.4, roughness: 0.5, colour: rgb(0x9fb4c8), mist: rgb(0xf0f4f7) },
      { top: 0.84, rise: 0.06, count: 1.6, roughness: 0.25, colour: rgb(0xe6edf2), mist: rgb(0xfbfbf9) },
    ],
  },
  valley: {
    width: 1024,
    height: 1280,
    seed: 63,
    sky: all(0x7fb2cf, 0xd5e4e2, 0xf5ead2),
    horizon: 0.45,
    hills: hills(5, 0xa8bfae, 0x3d5a2b, { top: 0.36, bottom: 0.8, mist: 0xe7e6c8 }),
  },
  dusk: {
    width: 1280,
    height: 854,
    seed: 72,
    sky: all(0x1e2a55, 0x5b4b8a, 0xc27ba0, 0xf3b7a2),
    horizon: 0.65,
    stars: 0.001,
    hills: hills(5, 0x8d6f9b, 0x1a1730, { top: 0.54, bottom: 0.9, mist: 0xd998a8 }),
  },
  morning: {
    width: 1280,
    height: 640,
    seed: 88,
    sky: all(0xdfe9ee, 0xf0efe6, 0xf8edd8),
    horizon: 0.55,
    sun: { x: 0.2, y: 0.34, radius: 0.05, colour: rgb(0xfffaf0), glow: 0.6 },
    hills: hills(3, 0xc6d0ce, 0x6f8a86, { top: 0.5, bottom: 0.6, mist: 0xf0ece0 }),
    water: { top: 0.62, colour: rgb(0xb9c9c9), depth: 0.35 },
  },
} satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;
