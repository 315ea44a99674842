import { z } from "zod";
import { photoSchema } from "../photos/photo.ts";
import { changes, filledText, id, line } from "../platform/http/validate.ts";
import type { Texts } from "../platform/search/documents.ts";
import { visibilitySchema } from "../visibility.ts";

const title = line(300).meta({ example: "A week in Lisbon" });
const example = "We arrived by train, late in the evening.";
/** The length of a novel. Posts written by earlier versions may be longer. */
const content = filledText(500_000).meta({ example });
const coverID = id()
  .nullable()
  .meta({ example: null, description: "The photo shown at the top of the post; null for none." });

export const postSchema = z
  .object({
    id: z.int(),
    title,
    content: z.string().meta({ example }),
    coverID,
    visibility: visibilitySchema,
    ownerID: z.int(),
    cover: photoSchema.nullable().meta({ example: null }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Post" });

export type Post = z.output<typeof postSchema>;

export const postTexts = ({ title, content }: Post): Texts => ({ title, text: content });

export const newPostSchema = z
  .object({ title, content, coverID: coverID.default(null), visibility: visibilitySchema.optional() })
  .meta({ id: "NewPost" });
export type NewPost = z.output<typeof newPostSchema>;

export const postChangesSchema = changes({ title, content, coverID, visibility: visibilitySchema }).meta({
  id: "PostChanges",
});
export type PostChanges = z.output<typeof postChangesSchema>;
