import { z } from "zod";
import { visibilitySchema } from "../../core/records/visibility.ts";

const serverSchema = z
  .object({
    kind: z.enum(["immich", "webdav", "vitrine"]).optional().meta({
      description: "Which program it should be: another one is refused. By default, it is recognised.",
      example: "immich",
    }),
    url: z.string().min(1).max(2000).meta({
      description: "Its address, which may be in the local network.",
      example: "https://photos.example.org",
    }),
    username: z.string().max(200).optional().meta({
      description: "Whose files are read, of Nextcloud and WebDAV; the key is their password then.",
    }),
  })
  .meta({ id: "ImportServer" });

/** What a server reads, and how. */
const planSchema = z.object({
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
  server: serverSchema.optional().meta({
    description:
      "Another server instead: Immich, Nextcloud or WebDAV, or another Vitrine; only for admins. It needs `key`.",
  }),
  authors: z
    .array(
      z.object({
        theirs: z.string().min(1).max(200).meta({ description: "A username of the source.", example: "alice" }),
        ours: z.string().min(1).max(200).meta({ description: "A username of this site.", example: "ada" }),
      }),
    )
    .max(200)
    .optional()
    .meta({
      description:
        "Which accounts write the posts of which authors; only for admins. For other authors, an account of the same name is taken, or one without a password is made.",
    }),
  to: z.string().max(16_384).optional().meta({
    description: "The directory below which files are stored; by default one with the name of the source.",
    example: "/Moved",
  }),
  photos: z.boolean().default(false).meta({
    description: "Whether photos are created from pictures and videos. An export of a photo program always does that.",
  }),
  albums: z.boolean().default(false).meta({ description: "Whether each folder becomes an album." }),
  people: z.boolean().default(false).meta({ description: "Whether the people in photos become tags." }),
  stars: z.boolean().default(false).meta({ description: "Whether photos with five stars become favourites." }),
  hidden: z.boolean().default(false).meta({
    description:
      "Whether files and directories whose names begin with a dot are taken, too; otherwise they are counted.",
  }),
  asFolder: z.boolean().default(false).meta({
    description:
      "Whether it is taken for a folder of files, whatever it is. Without it, the export of a service that is known and cannot be imported fails, and nothing is stored.",
  }),
  fetch: z.boolean().default(false).meta({
    description:
      "Whether media that are missing in an export of WordPress are read from the old site, at public addresses; only for admins.",
  }),
  visibility: visibilitySchema.default("private").meta({
    description:
      "Who sees what is imported. `private`, the default: only its owner. `public`: everyone, except what the source says is private.",
    example: "private",
  }),
  dryRun: z.boolean().default(false).meta({ description: "Whether nothing is stored but the report." }),
});

/** The API key of Immich, the app password of WebDAV, or the token for another site. It is only kept in memory. */
const keySchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^\P{C}+$/u, "must be one line of visible characters");

export const newPlanSchema = planSchema
  .extend({
    key: keySchema.optional().meta({
      description:
        "For `server`: the API key of Immich, the app password of Nextcloud and WebDAV, the token of another Vitrine, or the password if `username` is sent. It is kept in memory while the import runs, and never stored.",
    }),
  })
  .meta({ id: "NewSourceImport" });

export const resumeSchema = z
  .object({ key: keySchema.meta({ description: "As for the new import." }) })
  .meta({ id: "ImportKey" });

/** As it is read again: with all options. */
export const storedPlanSchema = planSchema.extend({ fileIDs: z.array(z.int()).optional() }).meta({ id: "ImportPlan" });

export type Plan = z.output<typeof planSchema>;

export const parsePlan = (text: string | null): Plan | null =>
  text === null ? null : planSchema.parse(JSON.parse(text));
