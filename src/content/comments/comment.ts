import { z } from "zod";
import { forbidden, notOwner } from "../../platform/errors.ts";
import { batchIDs, batchTrash } from "../../core/records/batch.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { changes, filledText, id } from "../../platform/http/validate.ts";
import type { Texts } from "../../platform/search/documents.ts";
import { targetsIn } from "./target.ts";

export const longestComment = 10_000;
const content = filledText(longestComment).meta({ example: "The second picture made my day." });
export const statusSchema = z.enum(["visible", "hidden", "waiting"]).meta({
  description:
    "Everyone sees visible comments. Hidden ones, and those that wait for approval, are seen by their author, the author of the post (or the owner of the photo or album) and admins.",
  example: "visible",
});

export type CommentStatus = z.output<typeof statusSchema>;

const mentionKinds = ["reply", "like", "repost", "mention"] as const;
export type MentionKind = (typeof mentionKinds)[number];

const source = z
  .object({
    url: z.string().meta({ description: "The page that links here.", example: "https://elsewhere.example/note" }),
    kind: z.enum(mentionKinds).meta({ description: "What the page says about it." }),
    author: z.string().nullable().meta({ description: "Who wrote the page, as it says itself.", example: "Grace" }),
  })
  .meta({ id: "CommentSource" });

export const commentSchema = z
  .object({
    id: z.int(),
    content,
    blogPostID: z.int().nullable().meta({
      description: "The post that it is on; null for a comment on a photo or an album.",
      example: 1,
    }),
    photoID: z.int().nullable().meta({ description: "The photo that it is on, or null.", example: null }),
    albumID: z.int().nullable().meta({ description: "The album that it is on, or null.", example: null }),
    parentID: z.int().nullable().meta({
      description: "The comment that this one replies to; null if there is none, or none that you can see.",
      example: null,
    }),
    status: statusSchema,
    ownerID: z.int(),
    author: z.object({ id: z.int(), username: z.string().meta({ example: "ada" }) }).meta({
      description: "The username is the host of the other site if `source` is set: nobody there has an account here.",
    }),
    source: source.nullable().meta({
      description:
        "Where it comes from, if it is a mention by another site (Webmention). It then belongs to the owner of what it is on, who cannot change its content. Null for other comments.",
      example: null,
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Comment" });

export type CommentRecord = z.output<typeof commentSchema>;
export type StoredComment = CommentRecord & { targetOwnerID: number };

export const commentTexts = (comment: CommentRecord): Texts => ({ title: "", text: comment.content });

export const newCommentSchema = z
  .object({
    content,
    blogPostID: id().optional().meta({ description: "The post to comment on.", example: 1 }),
    photoID: id().nullish().meta({ description: "The photo to comment on, instead of a post.", example: null }),
    albumID: id().nullish().meta({ description: "The album to comment on, instead of a post.", example: null }),
    parentID: id()
      .nullable()
      .default(null)
      .meta({ description: "The comment to reply to, which must not be a reply itself.", example: null }),
  })
  .refine((comment) => targetsIn(comment).length > 0, { error: "is required", path: ["blogPostID"] })
  .refine((comment) => targetsIn(comment).length < 2, {
    error: 'Send only one of "blogPostID", "photoID" and "albumID".',
  })
  .meta({ id: "NewComment" });
export type NewComment = z.output<typeof newCommentSchema>;

export const commentChangesSchema = changes({ content, status: statusSchema }).meta({ id: "CommentChanges" });
export type CommentChanges = z.output<typeof commentChangesSchema>;

export const commentBatchSchema = z
  .object({
    ids: batchIDs,
    status: statusSchema.optional(),
    trash: batchTrash,
  })
  .refine(({ status, trash }) => status !== undefined || trash, { error: 'Send "status", or "trash": true.' })
  .meta({ id: "CommentBatch" });

/** The author of a post, or the owner of a photo or album, moderates the comments on it, and so do admins. */
export const isModerator = (caller: Caller, { targetOwnerID }: StoredComment): boolean =>
  caller.id === targetOwnerID || caller.role === "admin";

/** The author of a comment changes its content, and moderators its status: both may delete it. */
export const mayChangeComment = (caller: Caller, comment: StoredComment): boolean =>
  isOwnerOrAdmin(caller, comment) || isModerator(caller, comment);

/** Throws if the caller may not change what is to be changed. */
export function checkChanges(caller: Caller, comment: StoredComment, { content, status }: CommentChanges): void {
  if (content !== undefined && !isOwnerOrAdmin(caller, comment)) throw notOwner();
  if (content !== undefined && comment.source !== null)
    throw forbidden("What another site says can be approved, hidden or deleted, but not changed.");
  if (status !== undefined && !isModerator(caller, comment))
    throw forbidden("Only the owner of what it is on, or an admin, can change the status of a comment.");
}
