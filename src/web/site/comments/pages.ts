import { changeComment, removeComment } from "../../../content/comments/change.ts";
import { findPageStart, getComment, insertComment } from "../../../content/comments/store.ts";
import { type Target, targetOf } from "../../../content/comments/target.ts";
import { missing } from "../../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../../platform/database/database.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import type { Caller, Viewer } from "../../../platform/http/route.ts";
import type { Trash } from "../../../core/trash/trash.ts";
import { type Page, page, type PageCall, readID, redirect, type View } from "../page.ts";
import { commentsPerPage, type Topic, type DiscussionState } from "./discussion.ts";
import { trapField } from "./forms.tsx";
import { explainMistake, readContent } from "./mistakes.ts";
import { heartPages } from "../hearts/pages.ts";
import type { Links } from "../links.ts";

type Call = PageCall<null>;

type Discussable<Found> = {
  /** The path of the page, as the router has it: `/blog/:slug`. */
  path: `/${string}`;
  /** Throws if the visitor may not see the page. */
  get(call: Call): Promise<Found>;
  about(links: Links, found: Found): Topic;
  view(call: Call, found: Found, shown: DiscussionState): Promise<View>;
  /** Whether the site has comments on such records. */
  hasComments?(call: Call): boolean;
};

/** Where the forms of a page with comments and a heart are sent to. */
export const discussablePages = <Found>(db: Database, trash: Trash, options: Discussable<Found>): Page[] => {
  const { path, get, about, view, hasComments = () => true } = options;
  return [
    ...commentPages(db, trash, {
      path,
      async open(call) {
        const found = await get(call);
        if (!hasComments(call)) throw missing("comments on this page");
        return { about: about(call.links, found), view: (shown) => view(call, found, shown) };
      },
    }),
    ...heartPages(db, { path, open: async (call) => about(call.links, await get(call)) }),
  ];
};

/** A page with comments: what they are on, and how the page is shown again with a form. */
type TopicPage = { about: Topic; view(shown: DiscussionState): Promise<View> };

type Options = Pick<Discussable<never>, "path"> & {
  /** Throws if the visitor may not see the page, or if it has no comments. */
  open(call: Call): Promise<TopicPage>;
};

const fieldOf = { post: "blogPostID", photo: "photoID", album: "albumID" } as const;

/** The forms under a post, a photo or an album. Each leads back to the comment, or shows the page again with what was typed. */
function commentPages(db: Database, trash: Trash, { path, open }: Options): Page[] {
  return [
    page({
      path: `${path}/comments`,
      handle: async (call) => redirect(`${(await open(call)).about.path}#comments`),
    }),

    page({
      path: `${path}/comments`,
      method: "POST",
      async handle(call) {
        const { viewer, exchange } = call;
        const { about, view } = await open(call);
        const { content = "", parentID, [trapField]: trap } = await readPageForm(exchange);
        const parent = parentID ? readID(parentID) : null;
        const draft = { form: parent ? "reply" : "new", ...(parent && { id: parent }), content } as const;
        if (!viewer) return view({ draft, status: 401 });
        if (trap) return redirect(`${about.path}#comments`);
        try {
          const { kind, id: targetID } = about.target;
          const comment = { [fieldOf[kind]]: targetID, parentID: parent, content: readContent(content) };
          const { id } = await db.transaction((tx) => insertComment(tx, viewer, comment));
          return redirect(await addressOf(db, viewer, about, id));
        } catch (error) {
          const after = parent ? await startOfPage(db, viewer, about.target, parent) : 0;
          return view({ after, ...explainMistake(error, draft) });
        }
      },
    }),

    page({
      path: `${path}/comments/:comment`,
      async handle(call) {
        const { about } = await open(call);
        const id = readID(call.params["comment"]);
        await checkComment(db, call.viewer, about.target, id);
        return redirect(await addressOf(db, call.viewer, about, id));
      },
    }),

    page({
      path: `${path}/comments/:comment`,
      method: "POST",
      async handle(call) {
        const { viewer, exchange } = call;
        const { about, view } = await open(call);
        const id = readID(call.params["comment"]);
        await checkComment(db, viewer, about.target, id);
        const { action = "", content = "" } = await readPageForm(exchange);
        const draft = { form: "edit", id, content } as const;
        if (!viewer) return view({ draft, status: 401 });
        try {
          await db.transaction((tx) => act(tx, viewer, id, { action, content }));
          return redirect(await addressOf(db, viewer, about, id));
        } catch (error) {
          const after = await startOfPage(db, viewer, about.target, id);
          return view({ after, ...explainMistake(error, draft) });
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

/** Throws if the viewer does not see this comment on the target. */
async function checkComment(db: Reader, viewer: Viewer, target: Target, id: number): Promise<void> {
  const on = targetOf(await getComment(db, viewer, id));
  if (on.kind !== target.kind || on.id !== target.id) throw missing(`comment ${id}`);
}

/** Where the comment is shown, or those around it after it was deleted. */
async function addressOf(db: Reader, viewer: Viewer, { target, path }: Topic, id: number): Promise<string> {
  const after = await startOfPage(db, viewer, target, id);
  return `${path}${after === 0 ? "" : `?comments=${after}`}#comment-${id}`;
}

const startOfPage = (db: Reader, viewer: Viewer, target: Target, last: number): Promise<number> =>
  findPageStart(db, viewer, { target, status: undefined }, { last, size: commentsPerPage });
