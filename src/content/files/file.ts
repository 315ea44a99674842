import { z } from "zod";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { changes, nullAs } from "../../platform/http/validate.ts";
import type { Texts } from "../../platform/search/documents.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";

export const fileSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string().meta({ description: "The directory that contains it, such as `/` or `/a/b`." }),
    isDirectory: z.boolean(),
    size: z
      .int()
      .meta({ description: "Size in bytes of the content that you can download (see `sha256`); 0 for a directory." }),
    contentType: z.string().nullable(),
    url: z.string().nullable().meta({ description: "Where to download the file; null for a directory." }),
    sha256: z.string().nullable().meta({
      description:
        "Hash of the bytes that `url` returns to you; `size` and the `ETag` refer to the same bytes. The owner and admins get the original bytes; everyone else gets images and videos without private metadata, so the bytes differ. Null for a directory, and for everyone else while the file has not been read yet or may not be downloaded.",
    }),
    visibility: visibilitySchema.meta({
      description:
        "Whether everyone can see it, or only its owner and admins. Everything in a private directory is private.",
    }),
    ownerID: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: "File",
    description: "A file or a directory.",
    example: {
      id: 3,
      name: "harbour.jpg",
      path: "/2026/lisbon",
      isDirectory: false,
      size: 48213,
      contentType: "image/jpeg",
      url: "/api/v1/files/3/content",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      visibility: "public",
      ownerID: 1,
      createdAt: "2026-11-15T09:30:00.000Z",
      updatedAt: "2026-11-15T09:30:00.000Z",
    },
  });

export type FileRecord = z.output<typeof fileSchema>;

/** A stored file, with size and hash of its public bytes. These fields are never sent to clients. */
export type StoredFile = FileRecord & {
  parentID: number;
  /** Whether a grant of the viewer reaches it. */
  isGranted: boolean;
  public: { size: number; sha256: string | null };
};

/** The file as JSON for the viewer: `size` and `sha256` are those of the bytes that the viewer can read. */
export function presentFile(file: StoredFile, viewer: Viewer): FileRecord {
  const { size, sha256 } = isOwnerOrAdmin(viewer, file) ? file : file.public;
  // Every field by its name, because copying objects is slow and this runs for every photo of a list.
  return {
    id: file.id,
    name: file.name,
    path: file.path,
    isDirectory: file.isDirectory,
    size,
    contentType: file.contentType,
    url: file.url,
    sha256,
    visibility: file.visibility,
    ownerID: file.ownerID,
    createdAt: file.createdAt,
    updatedAt: file.updatedAt,
  };
}

export const fileTexts = ({ name }: Pick<FileRecord, "name">): Texts => ({ title: name, text: "" });

/** `checkName` validates the name, with its own error messages. */
const name = z.string().meta({ minLength: 1, example: "lisbon" });

export const fileChangesSchema = changes({ name, visibility: visibilitySchema }).meta({ id: "FileChanges" });
export type FileChanges = z.output<typeof fileChangesSchema>;

export const newDirectorySchema = z
  .object({
    name,
    path: nullAs("/", z.string()).meta({ description: "The directory in which to create it.", example: "/2026" }),
    visibility: visibilitySchema.optional(),
  })
  .meta({ id: "NewDirectory" });

/** What to do if the name of an upload is taken. */
export const conflictChoices = ["rename", "reuse", "replace", "fail"] as const;

export const uploadSchema = z
  .object({
    file: z
      .string()
      .optional()
      .meta({ format: "binary", description: "The content of the file. Its filename becomes the name of the file." }),
    path: z
      .string()
      .optional()
      .meta({ description: "The directory; created if it does not exist. Default: the root." }),
    isDirectory: z.enum(["true", "false"]).optional().meta({
      description:
        "`true` creates a directory. Default: `false`. Capitals, `1`, `0` and an empty field are also accepted.",
    }),
    name: z.string().optional().meta({ description: "The name to use instead of the filename." }),
    onConflict: z.enum(conflictChoices).optional().meta({
      description:
        "What to do if the name is taken. Default: `rename`, which keeps both files. `reuse` does the same, but returns your file if it already has this content there: an upload that is sent again is not stored twice.",
    }),
    visibility: visibilitySchema
      .optional()
      .meta({ description: "Who can see the file, and directories that are created for it. Default: `public`." }),
  })
  .meta({ id: "Upload" });

export const destinationSchema = z
  .object({
    path: z
      .string()
      .meta({ description: "The destination directory; created if it does not exist.", example: "/2026" }),
    name: name.optional().meta({ description: "The new name. Default: the current name." }),
  })
  .meta({ id: "Destination" });
