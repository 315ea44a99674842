import type { BatchResult, QueuedComment } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { changeItems, queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { restoreRecords } from "../lib/trash.ts";
import type { Status } from "./comment-list.ts";
import { commentTexts as t } from "./texts.ts";

const said = { visible: t.approved, hidden: t.hidden, waiting: t.waiting };

/** Approves or hides comments. They leave the list at once; if that fails, they come back. */
export async function setStatus(comments: readonly QueuedComment[], status: Status): Promise<void> {
  const ids = comments.map(({ id }) => id);
  const undo = () => {
    for (const [before, some] of Map.groupBy(comments, ({ status }) => status)) void setStatus(some, before);
  };
  await change(ids, { request: () => api.changeComments({ ids, status }), text: said[status], undo });
}

export async function removeComments(comments: readonly QueuedComment[]): Promise<void> {
  const ids = comments.map(({ id }) => id);
  await change(ids, {
    request: () => api.changeComments({ ids, trash: true }),
    text: t.removed,
    undo: () => void restoreRecords("comment", ids),
  });
}

type Change = { request: () => Promise<BatchResult>; text: (count: number) => string; undo: () => void };

async function change(ids: number[], { request, text, undo }: Change): Promise<void> {
  changeItems<QueuedComment>(["comments", "queue"], (items) => items.filter(({ id }) => !ids.includes(id)));
  try {
    const { results } = await request();
    const refused = results.filter(({ status }) => status !== 200).length;
    if (refused > 0) showToast({ text: t.refused(refused), isFailure: true });
    else showToast({ text: text(ids.length), undo });
  } catch (error) {
    const retry = () => void change(ids, { request, text, undo });
    showToast({ text: explain(error), isFailure: true, retry });
  }
  await queries.invalidateQueries({ queryKey: ["comments"] });
}

/** Replies, and approves the comment if it waits. False if that failed. */
export async function reply(comment: QueuedComment, content: string): Promise<boolean> {
  try {
    if (comment.status !== "visible") await api.changeComments({ ids: [comment.id], status: "visible" });
    // A reply to a reply belongs to the same thread.
    const parentID = comment.parentID ?? comment.id;
    const { blogPostID, photoID, albumID } = comment;
    await api.createComment({ ...(blogPostID !== null && { blogPostID }), photoID, albumID, parentID, content });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true });
    return false;
  }
  showToast({ text: t.sent });
  await queries.invalidateQueries({ queryKey: ["comments"] });
  return true;
}
