import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { filesTable, versionsTable } from "./tables.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { fileSchema, fileTexts } from "./file.ts";
import { readFileHoldings } from "./holdings.ts";
import { restorableFiles } from "./restorable.ts";
import { maxDepth, maxNameBytes } from "./names.ts";
import { findPresentedFiles } from "./store.ts";
import { sharedFiles } from "./share-reach.ts";
import { trashableFiles } from "./trash.ts";
import { listCandidates } from "./unread.ts";
import { unreadablePictures } from "./unreadable-notice.ts";
import { removeOldVersions } from "./versions.ts";

const loadRoutes = late(() => import("./routes.ts"));

const hour = 3_600_000;

/** Files and their versions refer to their content in the same way. */

export const filesModule: Module = {
  tags: {
    Files: `A tree of directories and files. A name has at most ${maxNameBytes} bytes, none of them \`/\`, \`\\\` or a control character, and is not blank, \`.\` or \`..\`. A path has at most ${maxDepth} names.`,
  },
  tables: [filesTable, versionsTable],
  kinds: [
    recordKind({
      name: "file",
      table: filesTable,
      schema: fileSchema,
      find: findPresentedFiles,
      texts: (file) => fileTexts(file),
      trash: trashableFiles,
      shared: sharedFiles,
      restorable: restorableFiles,
    }),
  ],
  holdings: readFileHoldings,
  notices: { unreadablePictures },
  open: ({ db, blobs, images, intake, trash, config }) => ({
    lateRoutes: {
      names: [
        "POST /api/v1/files",
        "GET /api/v1/files",
        "GET /api/v1/files/dir/*",
        "GET /api/v1/files/:id",
        "GET /api/v1/files/:id/entries",
        "GET /api/v1/files/:id/content",
        "GET /api/v1/files/:id/zip",
        "GET /api/v1/files/zip",
        "PUT /api/v1/files/:id",
        "POST /api/v1/files/:id/move",
        "POST /api/v1/files/:id/copy",
        "DELETE /api/v1/files/:id",
        "POST /api/v1/directories",
      ],
      base: [
        "POST /api/v1/files",
        "GET /api/v1/files",
        "GET /api/v1/files/dir/*",
        "PUT /api/v1/files/:id",
        "DELETE /api/v1/files/:id",
        "POST /api/v1/directories",
      ],
      async load() {
        const { fileRoutes } = await loadRoutes();
        return fileRoutes({ db, blobs, images, intake, trash }, config);
      },
    },
    jobs: [
      { name: "images", everyMs: hour, run: () => images.readMissing((id, limit) => listCandidates(db, id, limit)) },
      { name: "versions", everyMs: hour, deletesByAge: true, run: () => removeOldVersions(db, config.versionDays) },
    ],
  }),
};
