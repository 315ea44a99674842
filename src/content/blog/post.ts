import { z } from "zod";
import { photoSchema } from "../photos/photo.ts";
import { changes, filledText, id, line, text } from "../../platform/http/validate.ts";
import type { Texts } from "../../platform/search/documents.ts";
import { slugOf } from "../../platform/slug.ts";
import { newTagsSchema, tagsSchema } from "../../core/records/tags.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";

const title = line(300).meta({ example: "A week in Lisbon" });
const example = "We arrived by train, late in the evening.";
/** The length of a long novel. */
export const longestContent = 1_000_000;
const content = filledText(longestContent).meta({ example });
const coverID = id()
  .nullable()
  .meta({ example: null, description: "The photo shown at the top of the post; null for none." });
const slug = text(80)
  .refine((value) => value !== "" && slugOf(value) === value, {
    error: 'must consist of lower-case letters, digits and hyphens, like "a-week-in-lisbon"',
  })
  .meta({
    minLength: 1,
    example: "a-week-in-lisbon",
    description: "The post in the URL of its page. Made from the title, if it is not sent with a new post.",
  });
const excerpt = text(1000)
  .nullable()
  .meta({ description: "A short text for lists; null or blank: the beginning of the content.", example: null });
/** In this range, every time has the same form in JSON. */
const publishedAt = z.iso
  .datetime({ offset: true })
  .refine((time) => new Date(time).getTime() > 0, { error: "must be later than 1970" })
  .nullable()
  .meta({
    description:
      "Null: a draft. In the future: the post is published at that time. Until then, only its owner and admins can see it.",
    example: "2026-11-15T09:30:00.000Z",
  });
const commentsOpen = z
  .boolean()
  .meta({ description: "Whether new comments are accepted. A page has none: it is always false.", example: true });

export const postKinds = ["post", "page"] as const;
export type PostKind = (typeof postKinds)[number];
const kind = z.enum(postKinds).meta({
  description:
    "`post`: in the blog, at `/blog/<slug>`. `page`: outside of it, at `/<slug>`, without comments. It cannot be changed.",
  example: "post",
});

export const postSchema = z
  .object({
    id: z.int(),
    kind,
    title,
    slug: z.string().meta({ example: "a-week-in-lisbon" }),
    content: z.string().meta({ example, description: "Markdown." }),
    excerpt: z.string().meta({ example, description: "The one that was sent, or the beginning of the content." }),
    tags: tagsSchema,
    coverID,
    visibility: visibilitySchema,
    publishedAt: z.iso.datetime().nullable().meta({ example: "2026-11-15T09:30:00.000Z" }),
    commentsOpen,
    ownerID: z.int(),
    cover: photoSchema.nullable().meta({ example: null }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Post" });

export type Post = z.output<typeof postSchema>;
/** A post without its content. */
export type PostHead = Omit<Post, "content">;

export const postWithHTMLSchema = z
  .object({
    ...postSchema.shape,
    html: z.string().meta({
      example: `<p>${example}</p>`,
      description: "The content as HTML without scripts and styles, with the embedded records that you may see.",
    }),
  })
  .meta({ id: "PostWithHTML", description: "A post with its content as HTML." });

export type PostWithHTML = z.output<typeof postWithHTMLSchema>;

export const postTexts = ({ title, content }: Post): Texts => ({ title, text: content });

export const newPostSchema = z
  .object({
    kind: kind.default("post").meta({ description: "Only admins create pages. A page stands at `/<slug>`." }),
    title,
    content,
    coverID: coverID.default(null),
    slug: slug.optional(),
    excerpt: excerpt.default(null),
    tags: newTagsSchema.default([]),
    visibility: visibilitySchema.optional(),
    publishedAt: publishedAt.optional(),
    commentsOpen: commentsOpen.default(true),
  })
  .meta({ id: "NewPost" });
export type NewPost = z.output<typeof newPostSchema>;

const fields = { title, content, coverID, slug, excerpt, tags: newTagsSchema, visibility: visibilitySchema };
export const postChangesSchema = changes({ ...fields, publishedAt, commentsOpen }).meta({ id: "PostChanges" });
export type PostChanges = z.output<typeof postChangesSchema>;

export const statuses = ["draft", "scheduled", "published"] as const;
export type Status = (typeof statuses)[number];

/** The status of a post that is saved with this time. */
export function statusAt(publishedAt: number | null, now: number): Status {
  if (publishedAt === null) return "draft";
  return publishedAt > now ? "scheduled" : "published";
}

/** Whether only the owner and admins can see the post. */
export const isHidden = ({ visibility, publishedAt }: PostHead): boolean =>
  visibility === "private" || publishedAt === null || new Date(publishedAt).getTime() > Date.now();
