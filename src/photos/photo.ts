import { z } from "zod";
import { fileSchema } from "../files/file.ts";
import { changes, id, line, text } from "../platform/http/validate.ts";

const title = line(300).meta({ example: "Harbour at dusk" });
const description = text(20_000).meta({ example: "The last ferry of the day." });
const fileID = id().meta({ example: 3 });
const pixels = () => z.int().min(1).max(1_000_000).meta({ example: 1600 });

export const photoSchema = z
  .object({
    id: z.int(),
    title,
    description,
    fileID,
    width: pixels(),
    height: pixels(),
    ownerID: z.int(),
    file: fileSchema.nullable().meta({ description: "Null while the file is in the trash." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Photo" });

export type Photo = z.output<typeof photoSchema>;

export const newPhotoSchema = z
  .object({
    title,
    description: description.default(""),
    fileID,
    width: pixels().optional(),
    height: pixels().optional(),
  })
  .meta({
    id: "NewPhoto",
    description: "`width` and `height` may be left out where the server can read them from the image.",
  });

export type NewPhoto = z.output<typeof newPhotoSchema>;

export const photoChangesSchema = changes({ title, description, fileID, width: pixels(), height: pixels() }).meta({
  id: "PhotoChanges",
});

export type PhotoChanges = z.output<typeof photoChangesSchema>;
