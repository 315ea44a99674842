import { getPostPageBySlug, type PostPage } from "../../../content/blog/post-page.ts";
import { changeComment, removeComment } from "../../../content/comments/change.ts";
import { findPageStart, getComment, insertComment } from "../../../content/comments/store.ts";
import { missing } from "../../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../../platform/database/database.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import type { Caller, Viewer } from "../../../platform/http/route.ts";
import type { Trash } from "../../../core/trash/trash.ts";
import { commentsPerPage } from "../comments/discussion.ts";
import { trapField } from "../comments/forms.tsx";
import { explainMistake, readContent } from "../comments/mistakes.ts";
import { type Page, page, type PageCall, readID, redirect } from "../page.ts";
import { nameOf } from "../photo-name.ts";
import { viewPost } from "./post-page.tsx";

/** The forms under a post. Each leads back to the comment, or shows the page again with what was typed. */
export function commentPages(db: Database, trash: Trash): Page[] {
  const open = async ({ params, viewer, language }: PageCall<null>) => {
    const post = await getPostPageBySlug(db, viewer, params.slug ?? "", { nameOf: (photo) => nameOf(photo, language) });
    if (post.kind === "page") throw missing("comments on a page");
    return post;
  };

  return [
    page({
      path: "/blog/:slug/comments",
      handle: async (call) => redirect(`${call.links.post(await open(call))}#comments`),
    }),

    page({
      path: "/blog/:slug/comments",
      method: "POST",
      async handle(call) {
        const { viewer, links, exchange } = call;
        const post = await open(call);
        const { content = "", parentID, [trapField]: trap } = await readPageForm(exchange);
        const parent = parentID ? readID(parentID) : null;
        const draft = { form: parent ? "reply" : "new", ...(parent && { id: parent }), content } as const;
        if (!viewer) return viewPost(db, call, post, { draft, status: 401 });
        if (trap) return redirect(`${links.post(post)}#comments`);
        try {
          const comment = { blogPostID: post.id, parentID: parent, content: readContent(content) };
          const { id } = await db.transaction((tx) => insertComment(tx, viewer, comment));
          return redirect(await addressOf(db, call, post, id));
        } catch (error) {
          const after = parent ? await startOfPage(db, viewer, post, parent) : 0;
          return viewPost(db, call, post, { after, ...explainMistake(error, draft) });
        }
      },
    }),

    page({
      path: "/blog/:slug/comments/:id",
      async handle(call) {
        const post = await open(call);
        const id = readID(call.params.id);
        await checkComment(db, call.viewer, post, id);
        return redirect(await addressOf(db, call, post, id));
      },
    }),

    page({
      path: "/blog/:slug/comments/:id",
      method: "POST",
      async handle(call) {
        const { viewer, exchange } = call;
        const post = await open(call);
        const id = readID(call.params.id);
        await checkComment(db, viewer, post, id);
        const { action = "", content = "" } = await readPageForm(exchange);
        const draft = { form: "edit", id, content } as const;
        if (!viewer) return viewPost(db, call, post, { draft, status: 401 });
        try {
          await db.transaction((tx) => act(tx, viewer, id, { action, content }));
          return redirect(await addressOf(db, call, post, id));
        } catch (error) {
          const after = await startOfPage(db, viewer, post, id);
          return viewPost(db, call, post, { after, ...explainMistake(error, draft) });
        }
      },
    }),
  ];

  /** What the buttons of a comment do. */
  async function act(tx: Queries, caller: Caller, id: number, sent: { action: string; content: string }) {
    switch (sent.action) {
      case "edit":
        return changeComment(tx, caller, id, { content: readContent(sent.content) });
      case "hide":
        return changeComment(tx, caller, id, { status: "hidden" });
      case "approve":
        return changeComment(tx, caller, id, { status: "visible" });
      case "delete":
        return removeComment(tx, trash, caller, id);
      default:
        throw missing("such action");
    }
  }
}

/** Throws if the viewer does not see this comment on the post. */
async function checkComment(db: Reader, viewer: Viewer, post: PostPage, id: number): Promise<void> {
  const comment = await getComment(db, viewer, id);
  if (comment.blogPostID !== post.id) throw missing(`comment ${id}`);
}

/** Where the comment is shown, or those around it after it was deleted. */
async function addressOf(
  db: Reader,
  { viewer, links }: Pick<PageCall<null>, "viewer" | "links">,
  post: PostPage,
  id: number,
): Promise<string> {
  const after = await startOfPage(db, viewer, post, id);
  return `${links.post(post)}${after === 0 ? "" : `?comments=${after}`}#comment-${id}`;
}

const startOfPage = (db: Reader, viewer: Viewer, post: PostPage, last: number): Promise<number> =>
  findPageStart(db, viewer, { post, status: undefined }, { last, size: commentsPerPage });
