import { contentOf, contentStatuses } from "../../content/files/content.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { archiveSchema } from "./archive.ts";
import { contentPath, getContent, readArchive, removeArchive, requestArchive } from "./store.ts";

const tag = "Accounts";
const path = "/api/v1/me/archive";

/** What data-protection law calls portability. */
export function archiveRoutes(db: Database, blobs: Blobs, start: () => void): Route[] {
  return [
    route({
      method: "POST",
      path,
      name: "requestArchive",
      tag,
      summary: "Ask for an archive of all your data",
      details:
        "A zip with your files, photos, posts, comments, albums, share links, profile and sessions, as `vitrine export` writes them. It is made in the background, kept for seven days, and counts towards no quota. It replaces the last one.",
      role: "reader",
      scope: "session",
      status: 201,
      location: path,
      response: archiveSchema,
      statuses: { 409: "One is being made already" },
      async handle({ caller, transaction }) {
        const archive = await transaction((tx) => requestArchive(tx, caller.id));
        start();
        return archive;
      },
    }),

    route({
      method: "GET",
      path,
      name: "readArchive",
      tag,
      summary: "Read whether the archive of your data is ready",
      role: "reader",
      scope: "session",
      response: archiveSchema,
      handle: ({ caller }) => readArchive(db, caller.id),
    }),

    route({
      method: "GET",
      path: contentPath,
      name: "downloadArchive",
      tag,
      summary: "Download the archive of your data",
      limit: "media",
      role: "reader",
      scope: "session",
      response: { contentTypes: ["application/zip"], description: "The archive" },
      statuses: { ...contentStatuses, 404: "There is none yet, or none any more" },
      async handle({ caller }) {
        const content = await getContent(db, caller.id);
        const file = { ...content, id: caller.id, name: `${caller.username}.zip`, contentType: "application/zip" };
        return contentOf(blobs, file, { isDownload: true });
      },
    }),

    route({
      method: "DELETE",
      path,
      name: "removeArchive",
      tag,
      summary: "Remove the archive of your data",
      details: "Your data stays as it is.",
      role: "reader",
      scope: "session",
      response: messageSchema,
      async handle({ caller, transaction }) {
        await transaction((tx) => removeArchive(tx, caller.id));
        return { message: "The archive was removed." };
      },
    }),
  ];
}
