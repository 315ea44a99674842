import { z } from "zod";
import { isOwnerOrAdmin, type Viewer } from "../platform/http/route.ts";
import type { Texts } from "../platform/search/documents.ts";

export const fileSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string().meta({ description: "The directory it is in: `/`, `/a/b`." }),
    isDirectory: z.boolean(),
    size: z.int().meta({ description: "In bytes; 0 for a directory. To you: see `sha256`." }),
    contentType: z.string().nullable(),
    url: z.string().nullable().meta({ description: "Where the bytes are read; null for a directory." }),
    sha256: z.string().nullable().meta({
      description:
        "Of the bytes that `url` returns to you, as are `size` and their `ETag`. The owner and admins get the bytes that were uploaded; everybody else gets images without private metadata, which are other bytes. Null for a directory, and to others while an image is still being read.",
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
      ownerID: 1,
      createdAt: "2026-11-15T09:30:00.000Z",
      updatedAt: "2026-11-15T09:30:00.000Z",
    },
  });

export type File = z.output<typeof fileSchema>;

/** A file as it is stored, with what everybody may know of its bytes; `parentID` does not leave the server. */
export type StoredFile = File & { parentID: number; public: { size: number; sha256: string | null } };

/** The file for the one who looks at it: `size` and `sha256` are those of the bytes that they may read. */
export function presentFile({ parentID: _, public: shown, ...file }: StoredFile, viewer: Viewer): File {
  return isOwnerOrAdmin(viewer, file) ? file : { ...file, ...shown };
}

export const fileTexts = ({ name }: Pick<File, "name">): Texts => ({ title: name, text: "" });

/** Whether it may be a name is what `checkName` says, in its own words. */
const name = z.string().meta({ minLength: 1, example: "lisbon" });

export const renameSchema = z.object({ name }).meta({ id: "FileChange" });

export const newDirectorySchema = z
  .object({
    name,
    path: z.string().default("/").meta({ description: "The directory in which it is made.", example: "/2026" }),
  })
  .meta({ id: "NewDirectory" });

export const uploadSchema = z
  .object({
    file: z.string().optional().meta({ format: "binary", description: "The upload; its filename is the file's name." }),
    path: z.string().optional().meta({ description: "The directory; made where it is missing. Default: the root." }),
    isDirectory: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "`true` makes a directory. Default: `false`." }),
    name: z.string().optional().meta({ description: "A name instead of the upload's filename." }),
    onConflict: z
      .enum(["rename", "replace", "fail"])
      .optional()
      .meta({ description: "What happens when the name is taken. Default: `rename`, which keeps both." }),
  })
  .meta({ id: "Upload" });

export const destinationSchema = z
  .object({
    path: z.string().meta({ description: "The directory it goes to; made where it is missing.", example: "/2026" }),
    name: name.optional().meta({ description: "A new name; without one it keeps its own." }),
  })
  .meta({ id: "Destination" });
