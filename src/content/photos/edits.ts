import { z } from "zod";
import type { Image } from "../../core/images/image.ts";
import type { Crop, Edits } from "../../platform/images/edits.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";

/** A millionth of the widest picture that can be decoded is less than a pixel. */
const precision = 1e6;

const fraction = (min: number) => z.number({ error: "must be a number" }).min(min).max(1);

const cropSchema = z
  .object({ x: fraction(0), y: fraction(0), width: fraction(0), height: fraction(0) })
  .refine(({ x, width }) => x + width <= 1 + 1e-9, {
    path: ["width"],
    error: "must end inside the picture: x + width is more than 1",
  })
  .refine(({ y, height }) => y + height <= 1 + 1e-9, {
    path: ["height"],
    error: "must end inside the picture: y + height is more than 1",
  })
  .meta({ id: "Crop", description: "In fractions of the turned picture: from 0 to 1." });

export const editsSchema = z
  .object({
    turn: z.literal([0, 90, 180, 270]),
    flip: z.boolean().default(false),
    crop: cropSchema.nullable().default(null),
  })
  .meta({
    id: "Edits",
    description:
      "The upright picture is turned clockwise by `turn` degrees, then mirrored left to right if `flip` is true, then cropped.",
    example: { turn: 90, flip: false, crop: { x: 0.1, y: 0, width: 0.8, height: 1 } },
  });

/** As it is stored. `thumbhash` is of the edited picture, made from the image with the hash `of`. */
export type StoredEdits = { edits: Edits; thumbhash: string; of: string };

export const parseEdits = (stored: string | null): StoredEdits | null =>
  stored === null ? null : (JSON.parse(stored) as StoredEdits);

/** The thumbhash shows what is cropped away, unless it was made from the edited picture. */
export const thumbhashOf = ({ of, thumbhash }: StoredEdits, image: Pick<Image, "sha256">): string | null =>
  of === image.sha256 ? thumbhash : null;

/** Whether the file of a photo is hidden from a viewer because it shows what the photo leaves out. */
export const isCroppedFor = (
  viewer: Viewer,
  { photo_is_cropped: isCropped, photo_owner_id: ownerID }: { photo_is_cropped: number; photo_owner_id: number },
): boolean => isCropped === 1 && !isOwnerOrAdmin(viewer, { ownerID });

/** Null if nothing is edited. The same edits are always the same text. */
export function normalizeEdits({ turn, flip, crop }: z.output<typeof editsSchema>): Edits | null {
  const rounded = crop && roundCrop(crop);
  const isWhole = !rounded || (rounded.width === 1 && rounded.height === 1);
  const edits = { turn, flip, crop: isWhole ? null : rounded };
  return edits.turn === 0 && !edits.flip && edits.crop === null ? null : edits;
}

function roundCrop({ x, y, width, height }: Crop): Crop {
  const round = (value: number) => Math.round(value * precision) / precision;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
