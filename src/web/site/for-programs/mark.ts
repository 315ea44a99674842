import type { Drawing, Rectangle } from "../../../platform/images/draw.ts";
import { coloursOf } from "../../themes/colours.ts";

/** The mark of the program, a glass case on a plinth, on a grid of 24: left, top, right, bottom. */
const glass = [5.5, 3.5, 18.5, 17] as const;
const frame = [
  [4.5, 2.5, 6.5, 17],
  [17.5, 2.5, 19.5, 17],
  [4.5, 2.5, 19.5, 4.5],
  [3, 17, 21, 22],
] as const;
const grid = 24;

type Place = { left: number; top: number; side: number };

export function placeMark({ left, top, side }: Place, colours: { tint: string; accent: string }): Rectangle[] {
  const scale = (value: number) => Math.round((value * side) / grid);
  const place = ([x, y, right, bottom]: readonly [number, number, number, number], colour: string): Rectangle => ({
    left: left + scale(x),
    top: top + scale(y),
    width: Math.max(1, scale(right) - scale(x)),
    height: Math.max(1, scale(bottom) - scale(y)),
    colour,
  });
  return [place(glass, colours.tint), ...frame.map((part) => place(part, colours.accent))];
}

/** As the icon of a site that has chosen none. */
export function markAsIcon(side: number, isOpaque: boolean): Drawing {
  const colours = coloursOf("magazine");
  const margin = isOpaque ? Math.round(side / 8) : 0;
  const rectangles = placeMark({ left: margin, top: margin, side: side - 2 * margin }, colours);
  return { width: side, height: side, background: isOpaque ? colours.paper : null, rectangles };
}
