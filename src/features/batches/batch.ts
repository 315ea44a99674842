import { z } from "zod";
import { batchIDs as ids, batchResultOf, batchTrash as trash } from "../../core/records/batch.ts";
import { longestTitle, newPhotoOfFileSchema, originalSchema, sharedChangesSchema } from "../../content/photos/photo.ts";
import { id, line } from "../../platform/http/validate.ts";
import { newTagsSchema } from "../../core/records/tags.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";

/** `{n}` is the number of a photo, `{nn}` with at least two digits, and `{title}` the title that it has. */
const placeholders = /\{(title|n{1,9})\}/g;

const retitleSchema = z
  .object({
    title: line(longestTitle).meta({
      description:
        "The new title. `{n}` is replaced by the number of the photo, `{nnn}` by the same with at least three digits, and `{title}` by the title that it has.",
      example: "Lisbon {nn}",
    }),
    start: z.int().min(0).max(1_000_000).default(1).meta({ description: "The number of the first photo.", example: 1 }),
  })
  .meta({ description: "Titles that differ. The photos are numbered in the order of `ids`." });

const albumID = id().optional().meta({ description: "An album of yours to which they are added.", example: 3 });

export const photoBatchSchema = z
  .object({
    ids,
    set: sharedChangesSchema.optional(),
    retitle: retitleSchema.optional(),
    addTags: newTagsSchema.optional(),
    removeTags: newTagsSchema.optional(),
    albumID,
    removeFromAlbumID: id()
      .optional()
      .meta({ description: "An album of yours from which they are removed.", example: 4 }),
    trash,
    withFile: z.boolean().default(false).meta({
      description:
        "With `trash`: whether to move their files to the trash as well. Each file is a part of the entry of its photo. A file that something else of its owner uses is kept.",
      example: false,
    }),
  })
  .refine(({ ids: _, withFile: __, ...changes }) => Object.values(changes).some(Boolean), {
    error: "Send at least one of: set, retitle, addTags, removeTags, albumID, removeFromAlbumID, trash.",
  })
  .refine(({ trash, withFile }) => trash || !withFile, { error: '"withFile" can only be sent with "trash".' })
  .refine(({ set, retitle }) => set?.title === undefined || retitle === undefined, {
    error: 'Send "set.title" or "retitle", not both.',
  })
  .refine(({ albumID, removeFromAlbumID }) => albumID === undefined || albumID !== removeFromAlbumID, {
    error: '"albumID" and "removeFromAlbumID" must be different albums.',
  })
  .meta({ id: "PhotoBatch" });

export const photoBatchResultSchema = batchResultOf({
  file: originalSchema,
  isAdded: z
    .boolean()
    .meta({ description: "Whether `albumID` added it: it was not in that album before.", example: false }),
}).meta({
  id: "PhotoBatchResult",
  description:
    "One result for each id, in the order of the request. `file` is null unless `visibility` or `withFile` was sent.",
});

export type PhotoBatchResult = z.output<typeof photoBatchResultSchema>;

export const newPhotosSchema = z
  .object({ photos: z.array(newPhotoOfFileSchema).min(1).max(1000), albumID })
  .meta({ id: "NewPhotos" });

export type NewPhotos = z.output<typeof newPhotosSchema>;

export const photosResultSchema = z
  .object({
    created: z.int().meta({ description: "How many photos were created.", example: 2 }),
    results: z.array(
      z.object({
        fileID: z.int(),
        photoID: z.int().nullable().meta({ description: "The photo that was created.", example: 7 }),
        status: z.int().meta({
          description:
            "201, or the status that a request for this photo alone has. 503 means that the server has not read the picture yet: send it again later.",
        }),
        error: z.string().nullable().meta({ example: null }),
        reason: z.string().nullable().meta({
          description: "Why no picture can be made of the file, such as `JPEG XL is not supported yet.`",
          example: null,
        }),
      }),
    ),
  })
  .meta({ id: "PhotosResult", description: "One result for each photo, in the order of the request." });

export type PhotosResult = z.output<typeof photosResultSchema>;

type Retitle = z.output<typeof retitleSchema>;

/** The title of the photo with this place in the batch, counted from 0. */
export const titleFor = ({ title: pattern, start }: Retitle, title: string, index: number): string =>
  pattern.replace(placeholders, (_, name: string) =>
    name === "title" ? title : String(start + index).padStart(name.length, "0"),
  );

const destination = z.object({
  path: z.string().meta({ description: "The destination directory.", example: "/2026" }),
});

export const fileBatchSchema = z
  .object({
    ids,
    move: destination
      .optional()
      .meta({ description: "Where to move them. The directory is created if it does not exist." }),
    copy: destination.optional().meta({
      description:
        "Where to copy them, instead of other changes. The directory is created if it does not exist. If a name is taken, a number is added to it.",
    }),
    visibility: visibilitySchema.optional(),
    trash,
  })
  .refine(({ ids: _, ...changes }) => Object.values(changes).some(Boolean), {
    error: "Send at least one of: move, copy, visibility, trash.",
  })
  .refine(({ copy, move, visibility, trash }) => !copy || !(move || visibility || trash), {
    error: '"copy" cannot be combined with other changes.',
  })
  .meta({ id: "FileBatch" });

export const fileBatchResultSchema = batchResultOf({
  copyID: z.int().nullable().meta({ description: "The copy, if it was copied.", example: null }),
}).meta({ id: "FileBatchResult", description: "One result for each id, in the order of the request." });

export type FileBatchResult = z.output<typeof fileBatchResultSchema>;

/** A batch of posts or of albums. */
export const recordBatchSchema = z
  .object({ ids, visibility: visibilitySchema.optional(), trash })
  .refine(({ visibility, trash }) => visibility !== undefined || trash, {
    error: 'Send "visibility", or "trash": true.',
  })
  .meta({ id: "RecordBatch" });

export type RecordBatch = z.output<typeof recordBatchSchema>;
export type PhotoBatch = z.output<typeof photoBatchSchema>;
export type FileBatch = z.output<typeof fileBatchSchema>;
