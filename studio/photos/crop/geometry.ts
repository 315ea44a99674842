import type { Edits, Photo } from "../../../client/src/index.ts";

/** In fractions of the turned and mirrored picture. */
export type Crop = NonNullable<Edits["crop"]>;
/** What is being edited: always with a crop, which may be all of the picture. */
export type Draft = { turn: Edits["turn"]; flip: boolean; crop: Crop };
export type Size = { width: number; height: number };
/** Which sides of a crop are moved: -1 is the left or upper one, 1 the right or lower one. */
export type Sides = { x: -1 | 0 | 1; y: -1 | 0 | 1 };

/** How far something is dragged to the right and down, in fractions. */
type Drag = { right: number; down: number };
/** `ratio` is of fractions (see `ratioOf`), or null. */
type Limits = { size: Size; ratio: number | null };

export const whole: Crop = { x: 0, y: 0, width: 1, height: 1 };
/** The server's limit. */
const smallestSide = 16;

export const toDraft = (edits: Photo["edits"]): Draft => ({
  turn: edits?.turn ?? 0,
  flip: edits?.flip ?? false,
  crop: edits?.crop ?? whole,
});

export const isWhole = ({ width, height }: Crop): boolean => width > 0.9999 && height > 0.9999;

/** Null if nothing is edited. */
export function toEdits({ turn, flip, crop }: Draft): Photo["edits"] {
  const edits = { turn, flip, crop: isWhole(crop) ? null : crop };
  return turn === 0 && !flip && edits.crop === null ? null : edits;
}

const swap = ({ width, height }: Size): Size => ({ width: height, height: width });

export const turnSize = (turn: Edits["turn"], size: Size): Size => (turn % 180 === 0 ? size : swap(size));

/** The size of the upright picture in the file. */
export function originalSize({ width, height, edits }: Pick<Photo, "width" | "height" | "edits">): Size {
  const crop = edits?.crop ?? whole;
  const shown = { width: Math.round(width / crop.width), height: Math.round(height / crop.height) };
  return turnSize(edits?.turn ?? 0, shown);
}

const addTurn = (turn: Edits["turn"], degrees: number) => ((turn + degrees + 360) % 360) as Edits["turn"];

/** As it is seen: a mirrored picture is turned the other way before it is mirrored. */
export function turnDraft({ turn, flip, crop }: Draft, direction: "left" | "right"): Draft {
  const { x, y, width, height } = crop;
  const isRight = direction === "right";
  const turned = { x: isRight ? 1 - y - height : y, y: isRight ? x : 1 - x - width, width: height, height: width };
  return { turn: addTurn(turn, isRight === flip ? -90 : 90), flip, crop: clean(turned) };
}

export const flipDraft = ({ turn, flip, crop }: Draft): Draft => ({
  turn,
  flip: !flip,
  crop: clean({ ...crop, x: 1 - crop.x - crop.width }),
});

export const moveCrop = (crop: Crop, { right, down }: Drag): Crop => ({
  ...crop,
  x: between(crop.x + right, 0, 1 - crop.width),
  y: between(crop.y + down, 0, 1 - crop.height),
});

export function resizeCrop(crop: Crop, sides: Sides, { right, down }: Drag, { size, ratio }: Limits): Crop {
  const min = { width: minOf(size.width), height: minOf(size.height) };
  const [left, top, end, bottom] = [crop.x, crop.y, crop.x + crop.width, crop.y + crop.height];
  const x = sides.x < 0 ? between(left + right, 0, end - min.width) : left;
  const y = sides.y < 0 ? between(top + down, 0, bottom - min.height) : top;
  const free = {
    x,
    y,
    width: (sides.x > 0 ? between(end + right, left + min.width, 1) : end) - x,
    height: (sides.y > 0 ? between(bottom + down, top + min.height, 1) : bottom) - y,
  };
  if (ratio === null) return clean(free);
  // The corner on the other side stays where it is.
  const space = { width: sides.x < 0 ? end : 1 - left, height: sides.y < 0 ? bottom : 1 - top };
  const smallest = Math.max(min.width, min.height * ratio);
  const width = Math.min(Math.max(free.width, smallest), space.width, space.height * ratio);
  const height = width / ratio;
  return clean({ x: sides.x < 0 ? end - width : left, y: sides.y < 0 ? bottom - height : top, width, height });
}

/** The largest crop of this ratio, as near to the middle of the one before as it can be. */
export function fitRatio(crop: Crop, ratio: number): Crop {
  const width = Math.min(1, ratio);
  const height = width / ratio;
  const [middle, level] = [crop.x + crop.width / 2, crop.y + crop.height / 2];
  return clean(moveCrop({ x: middle - width / 2, y: level - height / 2, width, height }, { right: 0, down: 0 }));
}

/** The ratio of the fractions of a crop whose pixels have the ratio `wanted`, in the direction of the picture. */
export function ratioOf(wanted: number, { width, height }: Size): number {
  const isUpright = height > width;
  return ((isUpright ? 1 / wanted : wanted) * height) / width;
}

/** The size of what is left, in pixels. */
export const cropSize = ({ crop }: Draft, size: Size): Size => ({
  width: Math.round(crop.width * size.width),
  height: Math.round(crop.height * size.height),
});

const minOf = (pixels: number) => Math.min(1, (smallestSide + 1) / pixels);

const between = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));

/** Without the errors of rounding that would lead out of the picture. */
function clean({ x, y, width, height }: Crop): Crop {
  const round = (value: number) => Math.round(value * 1e6) / 1e6;
  const [left, top] = [between(round(x), 0, 1), between(round(y), 0, 1)];
  return { x: left, y: top, width: Math.min(round(width), 1 - left), height: Math.min(round(height), 1 - top) };
}
