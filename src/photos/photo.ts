import { z } from "zod";
import { fileSchema } from "../files/file.ts";
import { exifSchema, variantSchema } from "../images/image.ts";
import { changes, id, line, text } from "../platform/http/validate.ts";
import type { Texts } from "../platform/search/documents.ts";
import { visibilitySchema } from "../visibility.ts";

const title = line(300).meta({ example: "Harbour at dusk" });
const description = text(20_000).meta({ example: "The last ferry of the day." });
const fileID = id().meta({ example: 3 });
const showLocation = z
  .boolean()
  .meta({ description: "Whether everyone can see where the photo was taken.", example: false });
const pixels = () => z.int().min(1).max(1_000_000).meta({ example: 1600 });

export const photoSchema = z
  .object({
    id: z.int(),
    title,
    description,
    fileID: fileID.nullable().meta({ description: "Null if you may not see the file.", example: 3 }),
    width: pixels(),
    height: pixels(),
    takenAt: z.iso.datetime().nullable().meta({
      description: "The time of the camera's clock; without a time zone it is assumed to be UTC.",
      example: "2026-06-12T20:41:07.000Z",
    }),
    exif: exifSchema.nullable(),
    showLocation,
    thumbhash: z.string().nullable().meta({
      description: "A blurred preview (ThumbHash) of about 25 bytes, in Base64.",
      example: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
    }),
    variants: z.array(variantSchema).meta({ description: "The picture in several widths, for a `srcset`." }),
    kind: z.enum(["image", "video"]),
    duration: z
      .number()
      .nullable()
      .meta({ description: "Of a video, in seconds; null for images, and if it is not known.", example: null }),
    poster: z.enum(["frame", "sent"]).nullable().meta({
      description:
        "What `variants` of a video show: a frame of it, or the picture that was sent. Null for images, and while a video has neither.",
      example: null,
    }),
    motion: z
      .object({ url: z.string(), duration: z.number().meta({ description: "In seconds." }) })
      .nullable()
      .meta({ description: "The film in a motion photo.", example: null }),
    visibility: visibilitySchema,
    ownerID: z.int(),
    file: fileSchema.nullable().meta({ description: "Null while the file is in the trash, or if you may not see it." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Photo" });

export type Photo = z.output<typeof photoSchema>;

/** The texts by which search finds a photo, as it is presented to a viewer. */
export function photoTexts({ title, description, exif }: Photo): Texts {
  const texts = [description, exif?.make, exif?.model, exif?.lens, exif?.place?.name];
  return { title, text: texts.filter(Boolean).join("\n") };
}

export const newPhotoSchema = z
  .object({
    title,
    description: description.default(""),
    fileID,
    width: pixels().optional(),
    height: pixels().optional(),
    showLocation: showLocation.default(false),
    visibility: visibilitySchema.optional(),
  })
  .meta({
    id: "NewPhoto",
    description: "`width` and `height` may be omitted if the server can read them from the image or the video.",
  });

export type NewPhoto = z.output<typeof newPhotoSchema>;

export const photoChangesSchema = changes({
  title,
  description,
  fileID,
  width: pixels(),
  height: pixels(),
  showLocation,
  visibility: visibilitySchema,
}).meta({ id: "PhotoChanges" });

export type PhotoChanges = z.output<typeof photoChangesSchema>;
