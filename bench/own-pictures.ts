import sharp from "sharp";

const noise = (sigma: number) => ({ type: "gaussian" as const, mean: 128, sigma });

/** Soft shapes with grain, in 12 megapixels: about as hard to decode and encode as pictures from a camera. */
export async function softPicture(): Promise<Buffer> {
  const shapes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#888", noise: noise(60) } })
    .resize(4000, 3000, { kernel: "cubic" })
    .png()
    .toBuffer();
  const grain = { create: { width: 4000, height: 3000, channels: 3 as const, background: "#888", noise: noise(12) } };
  const grains = await sharp(grain).png().toBuffer();
  return sharp(shapes)
    .composite([{ input: grains, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Fine strokes everywhere, the same each time: as much detail as a photograph of leaves. */
export function detailedPicture(width: number, height: number): Promise<Buffer> {
  let seed = 7;
  const random = (most: number) => ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32) * most;
  const length = height / 16;
  const strokes = Array.from({ length: 9000 }, () => {
    const colour = `hsl(${90 + random(60)} ${30 + random(50)}% ${20 + random(60)}%)`;
    const way = `M${random(width)} ${random(height)}l${random(length) - length / 2} ${random(length) - length / 2}`;
    return `<path d="${way}" stroke="${colour}" stroke-width="${(1 + random(4)) * (height / 1000)}"/>`;
  });
  const ground = `<rect width="${width}" height="${height}" fill="#475"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${strokes.join("")}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 95 }).toBuffer();
}
