import type { Post, PostWithHTML } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { restoreRecords } from "../lib/trash.ts";
import { listTexts as t } from "./texts.ts";

/** Moves a post to the trash, and offers to undo that. False if it failed. */
export async function deletePost(post: Pick<Post, "id" | "title">): Promise<boolean> {
  try {
    await api.deletePost({ id: post.id });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void deletePost(post) });
    return false;
  }
  void queries.invalidateQueries({ queryKey: ["posts", "list"] });
  showToast({ text: t.removed(post.title), undo: () => void restoreRecords("post", [post.id]) });
  return true;
}

/** A new draft with the same text. */
export async function duplicatePost(post: Pick<Post, "id">, onCreated: (copy: PostWithHTML) => void): Promise<void> {
  try {
    const { kind, title, content, tags, coverID, visibility, commentsOpen } = await api.readPost({ id: post.id });
    const input = { kind, content, tags, coverID, visibility, commentsOpen };
    const copy = await api.createPost({ ...input, title: t.copyOf(title).slice(0, 300), publishedAt: null });
    void queries.invalidateQueries({ queryKey: ["posts"] });
    showToast({ text: t.duplicated(title) });
    onCreated(copy);
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void duplicatePost(post, onCreated) });
  }
}
