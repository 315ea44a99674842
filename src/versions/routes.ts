import { z } from "zod";
import { contentStatuses, sendContent } from "../files/content.ts";
import { fileSchema, presentFile } from "../files/file.ts";
import type { Intake } from "../files/intake.ts";
import { getFile } from "../files/store.ts";
import { getVersion, listVersions, removeVersion } from "../files/versions.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database } from "../platform/database/database.ts";
import { isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import { messageSchema } from "../platform/http/message.ts";
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
      tag,
      summary: "Replace a file's content",
      details:
        "The body is the new content, whatever its `Content-Type` says. What the file held before becomes a version. With `If-Match` a content that has changed meanwhile stays, and the answer is 412.",
      role: "author",
      headers: {
        "If-Match": {
          description: "The `sha256` of the content that is to be replaced, in quotes.",
          example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        },
      },
      find: ({ id }) => getFile(db, id),
      may: isOwnerOrAdmin,
      bytes: "application/octet-stream",
      answer: fileSchema,
      statuses: { 412: "The file has another content than `If-Match` names" },
      handle: async ({ record, exchange, caller }) => presentFile(await replaceFile(intake, record, exchange), caller),
    }),

    route({
      method: "GET",
      path: "/api/v1/files/:id/versions",
      name: "listVersions",
      tag,
      summary: "List what a file held before, newest first",
      role: "reader",
      find: ({ id }) => getFile(db, id),
      may: isOwnerOrAdmin,
      answer: z.array(versionSchema),
      handle: async ({ record }) => (await listVersions(db, record.id)).map(presentVersion),
    }),

    route({
      method: "GET",
      path: `${onePath}/content`,
      name: "readVersion",
      tag,
      summary: "Read the bytes of a version",
      details: "As a file's own bytes are read: with conditional requests, single ranges and `?download`.",
      limit: "media",
      role: "reader",
      find: ({ id }) => getFile(db, id),
      may: isOwnerOrAdmin,
      query: z.object({
        download: z.string().optional().meta({ description: "Its presence asks the browser to save the file." }),
      }),
      answer: { contentTypes: ["*/*"], description: "The bytes, under the version's own content type" },
      statuses: contentStatuses,
      async handle({ record, params, exchange }) {
        const { sha256, size, contentType } = await getVersion(db, record.id, params.versionID);
        return sendContent(blobs, { ...record, sha256, size, contentType }, exchange);
      },
    }),

    route({
      method: "POST",
      path: `${onePath}/restore`,
      name: "restoreVersion",
      tag,
      summary: "Make a version the file's content again",
      details: "What the file holds now becomes a version in its stead.",
      role: "author",
      find: ({ id }) => getFile(db, id),
      may: isOwnerOrAdmin,
      answer: fileSchema,
      handle: async ({ record, params, caller }) =>
        presentFile(await intake.restore(record.id, params.versionID), caller),
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "deleteVersion",
      tag,
      summary: "Delete a version for good",
      role: "author",
      find: ({ id }) => getFile(db, id),
      may: isOwnerOrAdmin,
      answer: messageSchema,
      async handle({ record, params }) {
        const { id } = await getVersion(db, record.id, params.versionID);
        await db.transaction((tx) => removeVersion(tx, id));
        return { message: `The version of "${record.name}" is gone for good.` };
      },
    }),
  ];
}
