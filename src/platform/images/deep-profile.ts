import type { Metadata, Sharp } from "sharp";

/** The library leaves pictures of 16 bits with a profile in the colours of Display P3, unless it is asked for others. */
export const inSRGB = (picture: Sharp, { depth, icc }: Pick<Metadata, "depth" | "icc">): Sharp =>
  depth === "ushort" && icc ? picture.withIccProfile("srgb", { attach: false }) : picture;
