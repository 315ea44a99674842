export type Pixels = { data: Uint8Array; width: number; height: number };

const window = 8;
/** The eye sees mostly the first of the colour planes. */
const weights = [6 / 8, 1 / 8, 1 / 8];
const c1 = (0.01 * 255) ** 2;
const c2 = (0.03 * 255) ** 2;

/**
 * How similar two pictures with three bytes per pixel are, by the structural similarity index (SSIM): 1 if they are
 * equal. It is the mean over windows of 8 by 8 pixels, on luma and the two chroma planes.
 */
export function similarityOf(some: Pixels, others: Pixels): number {
  const { width, height } = some;
  if (width < window || height < window) throw new Error(`a picture must have at least ${window} pixels on each side`);
  const [a, b] = [toPlanes(some), toPlanes(others)];
  return weights.reduce((sum, weight, plane) => sum + weight * planeSimilarity(a[plane]!, b[plane]!, width, height), 0);
}

/** 0.99 is 20 dB, 0.999 is 30 dB: on this scale, visible differences are about equally large. */
export const toDecibels = (similarity: number) => -10 * Math.log10(Math.max(1e-9, 1 - similarity));

function toPlanes({ data, width, height }: Pixels): Float32Array[] {
  const count = width * height;
  const planes = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  for (let i = 0; i < count; i++) {
    const r = data[3 * i]!;
    const g = data[3 * i + 1]!;
    const b = data[3 * i + 2]!;
    const luma = 0.299 * r + 0.587 * g + 0.114 * b;
    planes[0]![i] = luma;
    planes[1]![i] = 128 + (b - luma) * 0.564;
    planes[2]![i] = 128 + (r - luma) * 0.713;
  }
  return planes;
}

function planeSimilarity(a: Float32Array, b: Float32Array, width: number, height: number): number {
  const n = window * window;
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + window <= height; top += window) {
    for (let left = 0; left + window <= width; left += window, windows++) {
      let sumA = 0;
      let sumB = 0;
      let squareA = 0;
      let squareB = 0;
      let product = 0;
      for (let y = top; y < top + window; y++) {
        for (let i = y * width + left; i < y * width + left + window; i++) {
          const x = a[i]!;
          const z = b[i]!;
          sumA += x;
          sumB += z;
          squareA += x * x;
          squareB += z * z;
          product += x * z;
        }
      }
      const meanA = sumA / n;
      const meanB = sumB / n;
      const variances = squareA / n - meanA * meanA + squareB / n - meanB * meanB;
      const covariance = product / n - meanA * meanB;
      sum +=
        ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA * meanA + meanB * meanB + c1) * (variances + c2));
    }
  }
  return sum / windows;
}
