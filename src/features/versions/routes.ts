import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import { contentOf, contentStatuses } from "../../content/files/content.ts";
import { fileSchema, presentFile, type StoredFile } from "../../content/files/file.ts";
import type { Intake } from "../../content/files/intake.ts";
import { getFile } from "../../content/files/store.ts";
import { getVersion, listVersions, listVersionsByKey, removeVersion } from "../../content/files/versions.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { byID } from "../../platform/database/keyset.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { replying } from "../../platform/http/transact.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { replaceFile } from "./replace.ts";
import { presentVersion, versionSchema } from "./version.ts";

const tag = "Versions";
const onePath = "/api/v1/files/:id/versions/:versionID";

export function versionRoutes(db: Database, blobs: Blobs, intake: Intake): Route[] {
  return [
    route({
      method: "PUT",
      path: "/api/v1/files/:id/content",
      name: "replaceContent",
      openTo: ["directory"],
      tag,
      summary: "Replace a file's content",
      details:
        "The body is the new content; its `Content-Type` is ignored. The previous content is kept as a version. If `If-Match` is sent and the content has changed in the meantime, nothing is replaced and the response is 412.",
      role: "author",
      scope: "files:write",
      headers: {
        "If-Match": {
          description: "The `sha256` of the content to replace, in double quotes.",
          example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        },
      },
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      bytes: "application/octet-stream",
      response: fileSchema,
      statuses: { 412: "The content of the file does not match `If-Match`" },
      handle: async ({ record, exchange, caller }) =>
        presentFile(await replaceFile(intake, caller.id, record, exchange), caller),
    }),

    route({
      method: "GET",
      path: "/api/v1/files/:id/versions",
      name: "listVersions",
      tag,
      summary: "List the earlier versions of a file, newest first",
      role: "reader",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      cursor: alwaysSortedBy(byID, "desc"),
      response: z.array(versionSchema),
      async handle({ record, cursor }) {
        if (!cursor) return (await listVersions(db, record.id)).map(presentVersion);
        const { items, next } = await listVersionsByKey(db, record.id, cursor);
        return { items: mapSlices(items, (versions) => versions.map(presentVersion)), next };
      },
    }),

    route({
      method: "GET",
      path: `${onePath}/content`,
      name: "readVersion",
      tag,
      summary: "Download a version",
      details: "Works like downloading a file: supports conditional requests, single ranges and `?download`.",
      limit: "media",
      role: "reader",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      query: z.object({
        download: z
          .string()
          .optional()
          .meta({ description: "If present, the browser saves the file instead of showing it." }),
      }),
      response: { contentTypes: ["*/*"], description: "The bytes, with the content type of the version" },
      statuses: contentStatuses,
      async handle({ record, params, query }) {
        const { sha256, size, contentType } = await getVersion(db, record.id, params.versionID);
        const isDownload = query.download !== undefined;
        return contentOf(blobs, { ...record, sha256, size, contentType }, { isDownload });
      },
    }),

    route({
      method: "POST",
      path: `${onePath}/restore`,
      name: "restoreVersion",
      tag,
      summary: "Restore a version as the file's content",
      details: "The current content is kept as a new version.",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      response: fileSchema,
      async handle({ record, params, caller, transaction }) {
        const present = (file: StoredFile) => presentFile(file, caller);
        return present(await intake.restore(caller.id, record.id, params.versionID, replying(transaction, present)));
      },
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "deleteVersion",
      tag,
      summary: "Delete a version permanently",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      response: messageSchema,
      async handle({ record, params, caller }) {
        const { id } = await getVersion(db, record.id, params.versionID);
        await db.transaction(async (tx) => {
          await removeVersion(tx, id);
          recordActivity(tx, caller.id, "changed", { ...record, kind: "file" });
        });
        return { message: `The version of "${record.name}" was permanently deleted.` };
      },
    }),
  ];
}
