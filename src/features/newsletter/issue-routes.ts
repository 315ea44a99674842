import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import type { FixedSettings } from "../../core/settings/store.ts";
import { readSettings } from "../../core/settings/store.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { forbidden } from "../../platform/errors.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { addIssue, byPost, endIssue, findIssue, getIssue, listIssues } from "./issues.ts";
import { switchedOff, tag } from "./routes.ts";
import { type Issue, issueSchema } from "./subscriber.ts";

const path = "/api/v1/newsletter/posts";
const onePath = `${path}/:id` as const;

/** Only admins send: on a site where everybody can sign up, everybody could write to all subscribers. */
export function issueRoutes(db: Database, fixed: FixedSettings): Route[] {
  const find = async ({ id }: { id: number }, caller: Caller) => {
    if (caller.role !== "admin") throw forbidden("This requires the admin role.");
    return getIssue(db, id);
  };

  const findWhileOn = async (params: { id: number }, caller: Caller) => {
    const issue = await find(params, caller);
    if (!(await readSettings(db, fixed)).newsletter) throw switchedOff();
    return issue;
  };
  const current = async (tx: Queries, _caller: Caller, { id }: { id: number }) => {
    await findIssue(tx, id, tx.forUpdate);
    return getIssue(tx, id);
  };

  return [
    route({
      method: "GET",
      path,
      name: "listNewsletterPosts",
      tag,
      summary: "List the posts that were sent to the subscribers, or will be",
      role: "admin",
      cursor: onlyByCursor(byPost, "desc"),
      response: z.array(issueSchema),
      handle: ({ cursor }) => listIssues(db, cursor),
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readNewsletterPost",
      tag,
      summary: "Read whether a post is sent to the subscribers",
      role: "admin",
      find,
      response: issueSchema,
      handle: ({ record }) => record,
    }),

    route({
      method: "PUT",
      path: onePath,
      name: "sendNewsletterPost",
      tag,
      summary: "Send a post to the subscribers, as soon as everyone can see it",
      details: "A post is sent once. Whoever makes it private or deletes it meanwhile stops it.",
      role: "admin",
      scope: "admin",
      find: findWhileOn,
      current,
      response: issueSchema,
      statuses: { 409: "The post is private, or was sent before" },
      handle: ({ record, caller, transaction }) =>
        transaction(async (tx) => {
          await addIssue(tx, record.postID);
          recordActivity(tx, caller.id, "created", activityOf(record));
          return getIssue(tx, record.postID);
        }),
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "stopNewsletterPost",
      tag,
      summary: "Do not send a post to the subscribers, or to no more of them",
      details: "What has been stopped cannot be sent again. A post that still waits for its publication can.",
      role: "admin",
      scope: "admin",
      find,
      current,
      response: issueSchema,
      handle: ({ record, caller, transaction }) =>
        transaction(async (tx) => {
          await endIssue(tx, record.postID);
          recordActivity(tx, caller.id, "deleted", activityOf(record));
          return getIssue(tx, record.postID);
        }),
    }),
  ];
}

const activityOf = ({ postID, title }: Issue) => ({ kind: "newsletter", id: postID, ownerID: null, name: title });
