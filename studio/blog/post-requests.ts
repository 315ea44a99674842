import {
  type Client,
  etagOf,
  type NewPost,
  type PostChanges,
  type PostWithHTML,
  VitrineError,
} from "../../client/src/index.ts";
import { newID } from "../lib/new-id.ts";
import type { Draft } from "./draft.ts";
import { untitled } from "./texts.ts";

/** Whether the same request can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof VitrineError && (error.status === 0 || error.status >= 500 || error.status === 429);

/** Whether the server may have done what the failed request asked for: an earlier attempt may have reached it. */
export const mayBeDone = (error: unknown): boolean =>
  isTemporary(error) || (error instanceof VitrineError && error.attempts > 1);

type Change = {
  changes: PostChanges;
  /** The first that no other post has is the new one. */
  slugs: string[];
  /** A person waits for it. What is saved in the background is tried again later. */
  isWanted: boolean;
};

export type PostRequests = ReturnType<typeof createPostRequests>;

export function createPostRequests(api: Client) {
  return { read, change, createOnce };

  function read(id: number): Promise<PostWithHTML> {
    return api.readPost({ id });
  }

  /** Fails with the status 412 if the post is not as it was read. */
  async function change(post: PostWithHTML, { changes, slugs, isWanted }: Change): Promise<PostWithHTML> {
    const retry = { attempts: isWanted ? 3 : 1 };
    const options = { ifMatch: etagOf(post) ?? (await findETag(post)), retry };
    for (const slug of slugs) {
      try {
        return await api.changePost({ id: post.id, ...changes, slug }, options);
      } catch (error) {
        if (!(error instanceof VitrineError && error.field === "slug")) throw error;
      }
    }
    return api.changePost({ id: post.id, ...changes }, options);
  }

  /** Of a post that this device has kept: it does not know the ETag. */
  async function findETag({ id, updatedAt }: PostWithHTML): Promise<string | undefined> {
    const now = await read(id);
    if (now.updatedAt !== updatedAt) throw new VitrineError("The post has changed.", { status: 412, code: "outdated" });
    return etagOf(now) ?? undefined;
  }

  /** Creates a post. After a lost response, the same request is sent again: then the server does not create a second post. */
  function createOnce() {
    let request: { input: NewPost; idempotencyKey: string } | null = null;
    return async ({ slug: _, ...draft }: Draft, changes: PostChanges): Promise<PostWithHTML> => {
      const title = draft.title.trim() || untitled[0];
      const excerpt = draft.excerpt.trim() || null;
      request ??= {
        input: { publishedAt: null, ...draft, ...changes, title, excerpt, content: draft.content },
        idempotencyKey: newID(),
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
}
