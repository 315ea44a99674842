import { z } from "zod";
import type { CommentRecord } from "../../../content/comments/comment.ts";
import { countComments } from "../../../content/comments/count.ts";
import { findComments, findPageStart, listCommentsByKey } from "../../../content/comments/store.ts";
import { findPublished } from "../../../features/profiles/published.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { byID } from "../../../platform/database/keyset.ts";
import type { Viewer } from "../../../platform/http/route.ts";
import { queryInteger } from "../../../platform/http/validate.ts";
import type { Target } from "../../../content/comments/target.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import { type Authors, findAuthors } from "../author.tsx";
import { readAll } from "../cursor.ts";
import type { Mistake } from "../texts/comments.ts";

export const commentsPerPage = 100;

/** What is commented on: its page has the path. */
export type Topic = { target: Target; path: string; isOpen: boolean };

/** A form that is open: for a new comment, for a reply to the comment `id`, or to change it. */
export type Draft = {
  form: "new" | "reply" | "edit";
  id?: number;
  /** What was typed. Without it, the form is shown for the first time. */
  content?: string;
  mistake?: Mistake;
};

/** A comment with the replies to it on the same page. */
export type Thread = {
  comment: CommentRecord;
  /** The comment that it replies to, if that one is on another page. */
  replyTo: CommentRecord | null;
  replies: CommentRecord[];
};

/** A page of the comments on something, as the viewer sees them. `earlier` and `later` are the ids after which others start. */
export type Discussion = {
  threads: Thread[];
  count: number;
  after: number;
  earlier: number | null;
  later: number | null;
  draft: Draft | undefined;
  /** Those who have written the comments. */
  authors: Authors;
  /** Those who have a page, because they have published something. */
  published: ReadonlySet<number>;
};

/** What is shown of the comments: those after this id, and a form that is open. `heart` is set after one was given. */
export type DiscussionState = {
  after?: number | undefined;
  draft?: Draft | undefined;
  status?: number;
  heart?: string | undefined;
};

const commentID = queryInteger(Number.MAX_SAFE_INTEGER).optional();
/** The parameters of a page with comments. */
export const discussionQuery = z.object({
  comments: commentID,
  reply: commentID,
  edit: commentID,
  heart: z.enum(["given"]).optional().catch(undefined),
});

export function toShown({ comments, reply, edit, heart }: z.output<typeof discussionQuery>): DiscussionState {
  const draft = reply
    ? ({ form: "reply", id: reply } as const)
    : edit
      ? ({ form: "edit", id: edit } as const)
      : undefined;
  return { after: comments, draft, heart };
}

/** Whether the page is the one that search engines list. */
export const isWhole = ({ after, draft, status, heart }: DiscussionState): boolean =>
  after === undefined && draft === undefined && heart === undefined && !status;

/** The author of a comment as everyone sees them. A site that has linked here is called what it says. */
export const authorOf = (
  { authors }: Discussion,
  { ownerID, author, source }: CommentRecord,
): Partial<PublicPerson> & CommentRecord["author"] => (source ? author : (authors.get(ownerID) ?? author));

export async function readDiscussion(
  db: Reader,
  viewer: Viewer,
  target: Target,
  { after = 0, draft }: DiscussionState,
): Promise<Discussion> {
  const wanted = { target, status: undefined };
  const page = await listCommentsByKey(db, viewer, wanted, {
    sort: byID,
    order: "asc",
    after: after === 0 ? null : { id: after, key: after },
    size: commentsPerPage,
  });
  const comments = await readAll(page.items);
  const [count, earlier, parents, published] = await Promise.all([
    after === 0 && !page.next ? comments.length : countComments(db, viewer, target),
    after === 0 ? null : findPageStart(db, viewer, wanted, { last: after, size: commentsPerPage }),
    findParentsElsewhere(db, viewer, comments),
    findPublished(
      db,
      comments.map(({ ownerID }) => ownerID),
    ),
  ]);
  const threads = toThreads(comments, parents);
  const authors = await findAuthors(db, [...comments, ...parents.values()]);
  return { threads, count, after, earlier, later: page.next?.id ?? null, draft, authors, published };
}

function findParentsElsewhere(db: Reader, viewer: Viewer, comments: CommentRecord[]) {
  const here = new Set(comments.map(({ id }) => id));
  const ids = comments.flatMap(({ parentID }) => (parentID !== null && !here.has(parentID) ? [parentID] : []));
  return findComments(db, viewer, [...new Set(ids)]);
}

function toThreads(comments: CommentRecord[], elsewhere: Map<number, CommentRecord>): Thread[] {
  const threads = new Map<number, Thread>();
  for (const comment of comments) {
    const thread = threads.get(comment.parentID ?? 0);
    if (thread) thread.replies.push(comment);
    else threads.set(comment.id, { comment, replyTo: elsewhere.get(comment.parentID ?? 0) ?? null, replies: [] });
  }
  return [...threads.values()];
}
