import { z } from "zod";
import { fileSchema } from "../files/file.ts";
import { exifSchema, variantSchema } from "../images/image.ts";
import { changes, id, line, text } from "../platform/http/validate.ts";
import type { Texts } from "../platform/search/documents.ts";

const title = line(300).meta({ example: "Harbour at dusk" });
const description = text(20_000).meta({ example: "The last ferry of the day." });
const fileID = id().meta({ example: 3 });
const showLocation = z.boolean().meta({ description: "Whether everybody may see where it was taken.", example: false });
const pixels = () => z.int().min(1).max(1_000_000).meta({ example: 1600 });

export const photoSchema = z
  .object({
    id: z.int(),
    title,
    description,
    fileID,
    width: pixels(),
    height: pixels(),
    takenAt: z.iso.datetime().nullable().meta({
      description: "By the camera's clock; one without a time zone is taken for UTC.",
      example: "2026-06-12T20:41:07.000Z",
    }),
    exif: exifSchema.nullable(),
    showLocation,
    thumbhash: z
      .string()
      .nullable()
      .meta({ description: "A blurred preview in some 25 bytes of base64.", example: "1QcSHQRnh493V4dIh4eXh1h4kJUI" }),
    variants: z.array(variantSchema).meta({ description: "The picture in handy widths, ready for `srcset`." }),
    ownerID: z.int(),
    file: fileSchema.nullable().meta({ description: "Null while the file is in the trash." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Photo" });

export type Photo = z.output<typeof photoSchema>;

/** What it is found by, as far as it is told to the one who looks. */
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
  })
  .meta({
    id: "NewPhoto",
    description: "`width` and `height` may be left out where the server can read them from the image.",
  });

export type NewPhoto = z.output<typeof newPhotoSchema>;

export const photoChangesSchema = changes({
  title,
  description,
  fileID,
  width: pixels(),
  height: pixels(),
  showLocation,
}).meta({ id: "PhotoChanges" });

export type PhotoChanges = z.output<typeof photoChangesSchema>;
