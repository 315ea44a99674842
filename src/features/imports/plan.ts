import { z } from "zod";
import { visibilitySchema } from "../../core/records/visibility.ts";

/** What a server reads, and how. */
export const planSchema = z
  .object({
    fileIDs: z
      .array(z.int().min(1))
      .min(1)
      .max(100)
      .optional()
      .meta({
        description: "Archives or exports that were uploaded to the site. They are read as one, in this order.",
        example: [1],
      }),
    folder: z.string().max(4096).optional().meta({
      description:
        "A folder or an archive on the disk of the server instead, below the directory that the variable IMPORT_DIR names; only for admins.",
    }),
    to: z.string().max(16_384).optional().meta({
      description: "The directory below which files are stored; by default one with the name of the source.",
      example: "/Moved",
    }),
    photos: z.boolean().default(false).meta({
      description:
        "Whether photos are created from pictures and videos. An export of a photo program always does that.",
    }),
    albums: z.boolean().default(false).meta({ description: "Whether each folder becomes an album." }),
    people: z.boolean().default(false).meta({ description: "Whether the people in photos become tags." }),
    stars: z.boolean().default(false).meta({ description: "Whether photos with five stars become favourites." }),
    visibility: visibilitySchema.optional().meta({
      description: "Who sees what is imported; by default as the source says.",
      example: "private",
    }),
    dryRun: z.boolean().default(false).meta({ description: "Whether nothing is stored but the report." }),
  })
  .meta({ id: "NewSourceImport" });

/** As it is read again: with all options. */
export const storedPlanSchema = z
  .object({ ...planSchema.shape, fileIDs: z.array(z.int()).optional() })
  .meta({ id: "ImportPlan" });

export type Plan = z.output<typeof planSchema>;

export const parsePlan = (text: string | null): Plan | null =>
  text === null ? null : planSchema.parse(JSON.parse(text));
