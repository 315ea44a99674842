import { z } from "zod";
import { findPhotos } from "../photos/store.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import { postWithHTMLSchema } from "./post.ts";
import {
  getRevision,
  listRevisions,
  readAllRevisions,
  type Revision,
  revisionSchema,
  revisionSummarySchema,
  toChanges,
} from "./revisions.ts";
import { getPostHead } from "./store.ts";
import { withinQuota } from "./text-bytes.ts";
import { updatePost } from "./write.ts";

const tag = "Blog";

/** For the owner of the post and admins. */
export function revisionRoutes(db: Database, renderer: Renderer, quotaBytes: number | null): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/blog/:id/revisions",
      name: "listRevisions",
      tag,
      summary: "List the revisions of a blog post, newest first",
      details:
        "A change of the title, the content, the excerpt, the tags or the cover creates a revision. The first of the list is the post as it is now. All revisions of the last day are kept, and of earlier ones the last of each hour, after a week of each day, and after eight weeks of each week; the first one and the one that was published stay.",
      role: "author",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      cursor: alwaysSortedBy(byID, "desc"),
      response: z.array(revisionSummarySchema),
      handle: ({ record, cursor }) => (cursor ? listRevisions(db, record.id, cursor) : readAllRevisions(db, record.id)),
    }),

    route({
      method: "GET",
      path: "/api/v1/blog/:id/revisions/:number",
      name: "readRevision",
      tag,
      summary: "Read a revision of a blog post",
      role: "author",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      response: revisionSchema,
      statuses: { 404: "There is no such post or revision" },
      handle: ({ params, caller }) => readRevision(db, caller, params),
    }),

    route({
      method: "POST",
      path: "/api/v1/blog/:id/revisions/:number/restore",
      name: "restoreRevision",
      tag,
      summary: "Restore a revision of a blog post",
      details: "The revision that it replaces stays in the list. A cover that was deleted is left out.",
      role: "author",
      scope: "blog:write",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      response: postWithHTMLSchema,
      statuses: { 404: "There is no such post or revision" },
      async handle({ params, caller, transaction }) {
        const revision = await readRevision(db, caller, params);
        const html = await renderer.render(revision.content, caller.id);
        const changes = { ...toChanges(revision), html };
        return transaction((tx) =>
          withinQuota(tx, quotaBytes, params.id, () => updatePost(tx, caller, params.id, changes)),
        );
      },
    }),
  ];
}

/** Without the cover, if the caller may not see it. */
async function readRevision(db: Reader, caller: Caller, params: { id: number; number: number }): Promise<Revision> {
  const revision = await getRevision(db, params.id, params.number);
  const isShown = revision.coverID !== null && (await findPhotos(db, caller, [revision.coverID])).size > 0;
  return { ...revision, coverID: isShown ? revision.coverID : null };
}
