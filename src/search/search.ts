import { z } from "zod";
import { type Album, albumSchema, albumTexts } from "../albums/album.ts";
import { type Post, postSchema, postTexts } from "../blog/post.ts";
import { type Comment, commentSchema, commentTexts } from "../comments/comment.ts";
import { type File, fileSchema, fileTexts } from "../files/file.ts";
import { type Photo, photoSchema, photoTexts } from "../photos/photo.ts";
import { queryInteger } from "../platform/http/validate.ts";
import type { Texts } from "../platform/search/documents.ts";

/** Every kind of record that can be found. */
export type Records = { photo: Photo; post: Post; comment: Comment; album: Album; file: File };
export type Kind = keyof Records;

export const kinds = ["photo", "post", "comment", "album", "file"] as const satisfies Kind[];

/** What of a record is searched through, and shown of it when it is found. */
export const textsOf: { [K in Kind]: (record: Records[K]) => Texts } = {
  photo: photoTexts,
  post: postTexts,
  comment: commentTexts,
  album: albumTexts,
  file: fileTexts,
};

export const searchQuery = z.object({
  q: z
    .string()
    .trim()
    .max(200)
    .refine((value) => value !== "", { error: "must not be blank" })
    .meta({
      minLength: 1,
      description: "Search terms. Put a phrase in double quotes for an exact match.",
      example: "harbour",
    }),
  kind: z.enum(kinds).optional().meta({ description: "Only records of this kind." }),
  limit: queryInteger(100).default(20).meta({ description: "How many results at most." }),
});

export type SearchQuery = z.output<typeof searchQuery>;

export const resultSchema = z
  .object({
    kind: z.enum(kinds),
    id: z.int(),
    title: z.string().meta({ description: "Its title or name; empty for a comment.", example: "Harbour at dusk" }),
    titleHTML: z.string().meta({
      description: "The title with what matched in `<mark>`; all else is escaped.",
      example: "<mark>Harbour</mark> at dusk",
    }),
    excerptHTML: z.string().meta({
      description: "What its text says around the first match, likewise; empty where there is no text.",
      example: "The last ferry leaves the <mark>harbour</mark>.",
    }),
    record: z
      .union([photoSchema, postSchema, commentSchema, albumSchema, fileSchema])
      .meta({ description: "The record, as its own endpoint answers it." }),
  })
  .meta({ id: "SearchResult" });

export type Result = z.output<typeof resultSchema>;
