import { z } from "zod";
import { longestComment, newCommentSchema } from "../../../content/comments/comment.ts";
import { Problem } from "../../../platform/errors.ts";
import { validate } from "../../../platform/http/validate.ts";
import type { Mistake } from "../texts/comments.ts";
import type { Draft } from "./discussion.ts";

const contentSchema = z.object({ content: newCommentSchema.shape.content });

/** The content as the API accepts it. */
export const readContent = (text: string): string => validate(contentSchema, { content: text }).content;

/** The form again, with what is wrong with it. Throws what cannot be corrected there. */
export function explainMistake(error: unknown, draft: Draft): { draft: Draft; status: number } {
  const mistake = error instanceof Problem ? mistakeIn(error, draft) : null;
  if (mistake === null) throw error;
  return { draft: { ...draft, mistake }, status: (error as Problem).status };
}

function mistakeIn({ code, field }: Problem, { form, content = "" }: Draft): Mistake | null {
  if (code === "forbidden" && form !== "edit") return "closed";
  if (code !== "invalid") return null;
  if (field === "parentID") return "parent";
  if (content.trim() === "") return "blank";
  return content.length > longestComment ? "long" : "characters";
}
