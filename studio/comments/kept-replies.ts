import { kept } from "../lib/account.ts";

const prefix = "reply:";

/** What was typed as a reply to this comment and is not sent. */
export const readReply = (commentID: number): string => kept.get(`${prefix}${commentID}`) ?? "";

export function keepReply(commentID: number, text: string): void {
  if (text.trim() === "") kept.remove(`${prefix}${commentID}`);
  else kept.set(`${prefix}${commentID}`, text);
}

export const countReplies = (): number => kept.list(prefix).length;
