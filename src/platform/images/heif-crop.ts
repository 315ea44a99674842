import { type Box, findBox } from "./boxes.ts";
import { uint } from "./bytes.ts";
import type { Area, Size } from "./edits.ts";

/** The size of what is shown, and which part of the upright picture that is, as its properties say, in their order; null if they name no size. */
export function readShape(bytes: Uint8Array, properties: Box[]): { size: Size; crop: Area | null } | null {
  const ispe = findBox(properties, "ispe");
  if (!ispe) return null;
  let whole: Size = { width: uint(bytes, ispe.from + 4, 4), height: uint(bytes, ispe.from + 8, 4) };
  let crop: Area | null = null;
  for (const { type, from } of properties) {
    const value = bytes[from] ?? 0;
    if (type === "clap") crop = readAperture(bytes, from, whole);
    if (type === "imir") crop = crop && (value % 2 === 0 ? mirrorDown(crop, whole) : mirrorAcross(crop, whole));
    if (type !== "irot") continue;
    for (let turns = value % 4; turns > 0; turns--) {
      crop = crop && turnLeft(crop, whole);
      whole = { width: whole.height, height: whole.width };
    }
  }
  const { width, height } = crop ?? whole;
  return { size: { width, height }, crop };
}

/** A size and the distance of its centre from that of the picture, all as fractions. Null if nothing of the picture is left. */
function readAperture(bytes: Uint8Array, at: number, { width, height }: Size): Area | null {
  const fraction = (from: number) => (uint(bytes, from, 4) | 0) / (uint(bytes, from + 4, 4) || 1);
  const across = inside(fraction(at), fraction(at + 16), width);
  const down = inside(fraction(at + 8), fraction(at + 24), height);
  if (across.length <= 0 || down.length <= 0) return null;
  return { left: across.start, top: down.start, width: across.length, height: down.length };
}

function inside(length: number, offset: number, whole: number): { start: number; length: number } {
  const from = Math.round(offset + (whole - length) / 2);
  const start = Math.max(from, 0);
  return { start, length: Math.min(from + Math.floor(length), whole) - start };
}

const mirrorDown = (area: Area, { height }: Size): Area => ({ ...area, top: height - area.top - area.height });
const mirrorAcross = (area: Area, { width }: Size): Area => ({ ...area, left: width - area.left - area.width });
const turnLeft = ({ left, top, width, height }: Area, whole: Size): Area => ({
  left: top,
  top: whole.width - left - width,
  width: height,
  height: width,
});
