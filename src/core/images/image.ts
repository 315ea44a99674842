import { z } from "zod";
import type { Cleaned, Size } from "../../platform/images/decoder.ts";
import { isPictureType, mayHoldPrivateData } from "../../platform/images/kinds.ts";
import { explainFormat } from "../../platform/images/refusal.ts";
import { rawTypeOfName } from "../../platform/images/raw-types.ts";
import { typeOfName } from "../../platform/media.ts";

/** The widths in which a picture is available. It is never enlarged. */
export const widths = [320, 640, 1280, 1920, 2560] as const;
export type Width = (typeof widths)[number];

/** A JPEG of a picture that is slow to decode, stored with the original so that it is decoded only once. */
export const masterName = "master.jpg";

const unknownType = "application/octet-stream";

/** Whether files of this type are pictures that can be decoded. */
export const isImage = (contentType: string | null) => isPictureType(contentType ?? "");

/** Why a file of this type cannot be a photo, if nothing else is known about it. */
export const explainType = (contentType: string | null): string =>
  (isImage(contentType) ? null : explainFormat(contentType ?? "")) ?? "It is not a supported image or video.";

export const isVideo = (contentType: string | null) => contentType?.startsWith("video/") ?? false;

/**
 * Whether a file must be read before its bytes can be public: images and videos, and files of an unknown type that are named
 * like one.
 */
export function needsReading({ contentType, name = "" }: { contentType: string | null; name?: string }): boolean {
  const type = contentType === unknownType ? typeOfName(name) : contentType;
  return mayHoldPrivateData(type ?? "");
}

/** Whether a file is named like a RAW file but its content is not recognized as one. */
export const isUnknownRaw = ({ contentType, name = "" }: { contentType: string | null; name?: string }) =>
  contentType === unknownType && rawTypeOfName(name) !== undefined;

export const placeSchema = z
  .object({
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    altitude: z.number().nullable().meta({ description: "In metres." }),
    name: z.string().nullable().meta({ description: "From the caption metadata of the image." }),
  })
  .meta({ id: "Place", example: { latitude: 38.7071, longitude: -9.1355, altitude: 12, name: "Lisboa, Portugal" } });

export type Place = z.output<typeof placeSchema>;

const cameraSchema = z.object({
  make: z.string().nullable(),
  model: z.string().nullable(),
  lens: z.string().nullable(),
  exposureTime: z.number().nullable().meta({ description: "In seconds." }),
  aperture: z.number().nullable().meta({ description: "The f-number." }),
  iso: z.number().nullable(),
  focalLength: z.number().nullable().meta({ description: "In millimetres." }),
});

export type Camera = z.output<typeof cameraSchema>;

export const exifSchema = cameraSchema
  .extend({
    place: placeSchema
      .nullable()
      .meta({ description: "Visible only to the owner unless `showLocation` is true.", example: null }),
  })
  .meta({
    id: "Exif",
    description: "Metadata that the camera wrote into the image.",
    example: {
      make: "FUJIFILM",
      model: "X-T5",
      lens: "XF35mmF1.4 R",
      exposureTime: 0.004,
      aperture: 5.6,
      iso: 200,
      focalLength: 35,
      place: null,
    },
  });

export const variantSchema = z.object({ width: z.int(), height: z.int(), url: z.string() }).meta({
  id: "Variant",
  example: { width: 640, height: 427, url: "/api/v1/photos/1/image?w=640&v=Qb0xJ4nTz7mYw2LrKs9dVe" },
});

export type Variant = z.output<typeof variantSchema>;

/** What variants are made from. Without a thumbhash there are none. */
export type Picture = {
  sha256: string;
  width: number | null;
  height: number | null;
  thumbhash: string | null;
};

/**
 * What was read from an image or a video. `width` and `height` are of the upright image; null if they cannot be read.
 * `failure` says why there is no picture. With neither a thumbhash nor a failure, a video or a large picture waits for its
 * picture.
 */
export type Image = Picture & {
  /** Milliseconds; null for images, 0 for a video that does not say. */
  duration: number | null;
  takenAt: number | null;
  /** The zone that the file says; without one, `takenAt` is what the clock of the camera showed. */
  takenAtZone: string | null;
  failure: string | null;
  /** Only a part of the picture is in the file. */
  isCutOff: boolean;
  camera: Camera;
  place: Place | null;
  public: PublicBytes;
  /** The video in a motion photo: its duration in milliseconds, and its bytes, which are loaded only for a single image. */
  motion: { duration: number; bytes: Clean | null } | null;
};

/** Whether everything but the picture has been read. */
export const isWaiting = ({ thumbhash, failure }: Image) => thumbhash === null && failure === null;

/** What the public may read of a file: all of it, none of it, or a cleaned version. */
export type PublicBytes = "all" | "none" | Clean;
export type Clean = Cleaned;

/** What is known about the public bytes of a file; null until it has been read. */
type PublicState = { isWithheld: boolean; cleanSHA256: string | null; cleanSize: number | null } | null;

type Described = { name: string; sha256: string | null; size: number; contentType: string | null };

/** Size and hash of the public bytes. The hash is null if there are none or the file has not been read yet. */
export function describePublic(file: Described, state: PublicState): { size: number; sha256: string | null } {
  const { sha256, size } = file;
  if (!needsReading(file)) return { size, sha256 };
  if (isUnknownRaw(file) || !state || state.isWithheld) return { size, sha256: null };
  return { size: state.cleanSize ?? size, sha256: state.cleanSHA256 ?? sha256 };
}

/** The entries of a `srcset`: no width twice, and none larger than the image. `version` is the `v` of their URLs. */
export function listVariants({ width, height, thumbhash }: Picture, url: string, version: string): Variant[] {
  if (!width || !height || thumbhash === null) return [];
  const offered = widths.filter((_, index) => index === 0 || (widths[index - 1] as number) < width);
  return offered.map((wanted) => ({
    ...scaleSize(wanted, { width, height }),
    url: `${url}?w=${wanted}&v=${version}`,
  }));
}

/** The size at the wanted width, never enlarged. */
export function scaleSize(wanted: Width, { width, height }: Size): Size {
  const actual = Math.min(wanted, width);
  return { width: actual, height: Math.max(1, Math.round((height * actual) / width)) };
}
