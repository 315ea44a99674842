import { z } from "zod";
import { contentOf, contentStatuses } from "../../content/files/content.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { type Approve, approvalSchema, approvedSchema } from "./approve.ts";
import { linkHeaders, type OpenLink } from "./open-link.ts";
import { guestUploadSchema, type ReceivePicture } from "./receive.ts";
import type { Shareable } from "./share.ts";
import { getShare } from "./store.ts";
import { getWaiting, listWaiting, presentWaiting, removeWaiting, waitingSchema } from "./waiting.ts";

const tag = "Shares";
const onePath = "/api/v1/shares/:id/uploads/:uploadID";

type Deps = {
  db: Database;
  blobs: Blobs;
  shareables: Map<string, Shareable>;
  openLink: OpenLink;
  receive: ReceivePicture;
  approve: Approve;
};

export function guestUploadRoutes({ db, blobs, shareables, openLink, receive, approve }: Deps): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/shared/uploads",
      name: "uploadToShare",
      tag,
      summary: "Send a picture through a share link",
      details:
        "For links to albums and directories with `allowUpload`. A picture or a video, of at most 256 MiB. Only the link's owner can see it until it is approved.",
      headers: {
        "X-Share-Token": { ...linkHeaders["X-Share-Token"], required: true },
        "X-Share-Password": linkHeaders["X-Share-Password"],
      },
      form: guestUploadSchema,
      noIdempotency: "upload",
      status: 201,
      location: "/api/v1/shared",
      response: waitingSchema,
      statuses: {
        401: "The password is missing or wrong",
        403: "The link does not accept uploads",
        404: "There is no such link, or it no longer works",
      },
      handle: async ({ exchange }) => presentWaiting(await receive(exchange, await openLink(exchange))),
    }),

    route({
      method: "GET",
      path: "/api/v1/shares/:id/uploads",
      name: "listShareUploads",
      tag,
      summary: "List the pictures that wait for approval, oldest first",
      role: "reader",
      find: ({ id }, caller) => getShare(db, caller, id),
      response: z.array(waitingSchema),
      handle: async ({ record }) => (await listWaiting(db, record.id)).map(presentWaiting),
    }),

    route({
      method: "GET",
      path: `${onePath}/content`,
      name: "readShareUpload",
      tag,
      summary: "Look at a picture that waits for approval",
      limit: "media",
      role: "reader",
      find: ({ id }, caller) => getShare(db, caller, id),
      response: { contentTypes: ["*/*"], description: "The bytes, as they were sent" },
      statuses: contentStatuses,
      async handle({ record, params }) {
        const waiting = await getWaiting(db, record.id, params.uploadID);
        return contentOf(blobs, waiting, { isDownload: false });
      },
    }),

    route({
      method: "POST",
      path: `${onePath}/approve`,
      name: "approveShareUpload",
      tag,
      summary: "Add a picture that waits for approval",
      details: "It becomes a file of the link's owner in the shared directory, or a photo in the shared album.",
      role: "author",
      scope: "admin",
      find: ({ id }, caller) => getShare(db, caller, id),
      body: approvalSchema,
      response: approvedSchema,
      statuses: { 503: "The server is still reading this picture: try again" },
      handle: ({ record, params, body, transaction }) =>
        approve(record, shareables.get(record.kind) as Shareable, { ...body, uploadID: params.uploadID, transaction }),
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "rejectShareUpload",
      tag,
      summary: "Delete a picture that waits for approval",
      role: "reader",
      scope: "admin",
      find: ({ id }, caller) => getShare(db, caller, id),
      response: messageSchema,
      async handle({ record, params }) {
        const { id, name } = await getWaiting(db, record.id, params.uploadID);
        await db.transaction((tx) => removeWaiting(tx, id));
        return { message: `"${name}" was deleted permanently.` };
      },
    }),
  ];
}
