import {
  etagOf,
  type NewPost,
  type PostChanges,
  type PostWithHTML,
  VitrineError,
} from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { newCopyKey } from "./copies.ts";
import type { Draft } from "./draft.ts";
import { untitled } from "./texts.ts";

/** Whether the same request can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof VitrineError && (error.status === 0 || error.status >= 500 || error.status === 429);

/** Fails with the status 412 if the post is not as it was read. */
export function changePost(post: PostWithHTML, changes: PostChanges, isWanted: boolean): Promise<PostWithHTML> {
  const ifMatch = etagOf(post) ?? undefined;
  // What is saved in the background is tried again later.
  return api.changePost({ id: post.id, ...changes }, { ifMatch, retry: { attempts: isWanted ? 3 : 1 } });
}

/** Creates a post. After a lost response, the same request is sent again: then the server does not create a second post. */
export function createOnce() {
  let request: { input: NewPost; idempotencyKey: string } | null = null;
  return async ({ slug: _, ...draft }: Draft, changes: PostChanges): Promise<PostWithHTML> => {
    const title = draft.title.trim() || untitled[0];
    const excerpt = draft.excerpt.trim() || null;
    request ??= {
      input: { publishedAt: null, ...draft, ...changes, title, excerpt, content: draft.content },
      idempotencyKey: newCopyKey(),
    };
    try {
      const { input, idempotencyKey } = request;
      const { id } = await api.createPost(input, { idempotencyKey, retry: { attempts: 1 } });
      const created = await api.readPost({ id });
      request = null;
      return created;
    } catch (error) {
      if (!isTemporary(error)) request = null;
      throw error;
    }
  };
}
