import { z } from "zod";
import { batchIDs as ids, batchTrash as trash } from "../batch.ts";
import { sharedChangesSchema } from "../photos/photo.ts";
import { id } from "../platform/http/validate.ts";
import { newTagsSchema } from "../tags.ts";
import { visibilitySchema } from "../visibility.ts";

export const photoBatchSchema = z
  .object({
    ids,
    set: sharedChangesSchema.optional(),
    addTags: newTagsSchema.optional(),
    removeTags: newTagsSchema.optional(),
    albumID: id().optional().meta({ description: "An album of yours to which they are added.", example: 3 }),
    trash,
  })
  .refine(({ ids: _, ...changes }) => Object.values(changes).some(Boolean), {
    error: "Send at least one of: set, addTags, removeTags, albumID, trash.",
  })
  .meta({ id: "PhotoBatch" });

export const fileBatchSchema = z
  .object({
    ids,
    move: z
      .object({ path: z.string().meta({ description: "The destination directory.", example: "/2026" }) })
      .optional()
      .meta({ description: "Where to move them. The directory is created if it does not exist." }),
    visibility: visibilitySchema.optional(),
    trash,
  })
  .refine(({ ids: _, ...changes }) => Object.values(changes).some(Boolean), {
    error: "Send at least one of: move, visibility, trash.",
  })
  .meta({ id: "FileBatch" });

export type PhotoBatch = z.output<typeof photoBatchSchema>;
export type FileBatch = z.output<typeof fileBatchSchema>;
