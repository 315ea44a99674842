import { z } from "zod";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
import { filledText, id } from "../platform/http/validate.ts";
import type { Texts } from "../platform/search/documents.ts";

const content = filledText(10_000).meta({ example: "The second picture made my day." });

export const commentSchema = z
  .object({
    id: z.int(),
    content,
    blogPostID: z.int(),
    ownerID: z.int(),
    author: z.object({ id: z.int(), username: z.string().meta({ example: "ada" }) }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Comment" });

export type CommentRecord = z.output<typeof commentSchema>;

export const commentTexts = (comment: CommentRecord): Texts => ({ title: "", text: comment.content });

export const newCommentSchema = z.object({ content, blogPostID: id().meta({ example: 1 }) }).meta({ id: "NewComment" });

export const commentChangesSchema = z.object({ content }).meta({ id: "CommentChanges" });

/** The author of a post may delete any comment on it. */
export function mayDeleteComment(caller: Caller, comment: CommentRecord & { postOwnerID: number }): boolean {
  return isOwnerOrAdmin(caller, comment) || comment.postOwnerID === caller.id;
}
