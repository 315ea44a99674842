import { createEncoding, type Matrix } from "./srgb.ts";

/** The white D50 of Lab, and from XYZ relative to it to the linear light of sRGB (with Bradford's adaptation to D65). */
const [whiteX, whiteZ] = [0.9642, 0.8249];
const toLight: Matrix = [
  3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.033454, 0.0719453, -0.2289914, 1.4052427,
];

/** Converts pixels in place, from Lab with 8 bits each and signed colours to sRGB. */
export function fromLab(pixels: Uint8Array): void {
  const toByte = createEncoding();
  const [rx, ry, rz, gx, gy, gz, bx, by, bz] = toLight;
  for (let i = 0; i + 2 < pixels.length; i += 3) {
    const root = ((pixels[i]! * 100) / 255 + 16) / 116;
    const [x, y, z] = [
      whiteX * fromRoot(root + ((pixels[i + 1]! << 24) >> 24) / 500),
      fromRoot(root),
      whiteZ * fromRoot(root - ((pixels[i + 2]! << 24) >> 24) / 200),
    ];
    pixels[i] = toByte(rx * x + ry * y + rz * z);
    pixels[i + 1] = toByte(gx * x + gy * y + gz * z);
    pixels[i + 2] = toByte(bx * x + by * y + bz * z);
  }
}

const fromRoot = (root: number) => (root > 6 / 29 ? root ** 3 : (root - 16 / 116) * 3 * (6 / 29) ** 2);
