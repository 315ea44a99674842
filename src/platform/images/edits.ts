/** In fractions of the turned picture: from 0 to 1. */
export type Crop = { x: number; y: number; width: number; height: number };

/** How a picture is shown. The upright picture is turned clockwise, then mirrored left to right, then cropped. */
export type Edits = { turn: 0 | 90 | 180 | 270; flip: boolean; crop: Crop | null };

export type Size = { width: number; height: number };
export type Area = Size & { left: number; top: number };

/** The size of a picture of this size when it is turned; also the other way round. */
export const turnSize = ({ turn }: Pick<Edits, "turn">, { width, height }: Size): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/** The size of the edited picture. */
export const sizeAfter = (edits: Edits, size: Size): Size => turnSize(edits, areaOf(edits, size));

/** The pixels of the upright picture that are left. A pixel that is cut is cropped away: nobody may see what it was. */
export function areaOf(edits: Edits, { width, height }: Size): Area {
  const { x, y, width: across, height: down } = toUpright(edits);
  const horizontal = inside(x, x + across, width);
  const vertical = inside(y, y + down, height);
  return { left: horizontal.start, width: horizontal.length, top: vertical.start, height: vertical.length };
}

/** Less than this part of a pixel is a rounding error. */
const tolerance = 0.02;

function inside(from: number, to: number, pixels: number): { start: number; length: number } {
  const start = Math.min(Math.max(Math.ceil(from * pixels - tolerance), 0), pixels - 1);
  const end = Math.min(Math.floor(to * pixels + tolerance), pixels);
  return { start, length: Math.max(end - start, 1) };
}

/** The crop in fractions of the picture before it was mirrored and turned. */
function toUpright({ turn, flip, crop }: Edits): Crop {
  const { x: shownX, y, width, height } = crop ?? { x: 0, y: 0, width: 1, height: 1 };
  const x = flip ? 1 - shownX - width : shownX;
  if (turn === 90) return { x: y, y: 1 - x - width, width: height, height: width };
  if (turn === 180) return { x: 1 - x - width, y: 1 - y - height, width, height };
  if (turn === 270) return { x: 1 - y - height, y: x, width: height, height: width };
  return { x, y, width, height };
}
