import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { blob, bytes, table } from "../../platform/database/table.ts";
import { createFinish } from "./finish.ts";
import { tusHeaders } from "./protocol.ts";
import { createReceiver } from "./receive.ts";
import { uploadsPath } from "./routes.ts";
import { removeUploadsOf } from "./store.ts";

const loadRoutes = late(() => Promise.all([import("./routes.ts"), import("./known-files.ts")]));

const hour = 3_600_000;

export const uploadsModule: Module = {
  tags: { Uploads: "Resumable uploads with the tus protocol 1.0.0, and which contents need not be uploaded again." },
  tables: [
    table("uploads", { length: bytes({ counts: "reserved", where: "file_id IS NULL" }) }, { without: "unfinished" }),
    table(
      "upload_parts",
      {
        sha256: blob("", {
          size: "size",
          counts: "elsewhere",
          owner: (row) => `(SELECT owner_id FROM uploads WHERE id = ${row}.upload_id)`,
          label: (row) => `'upload ' || ${row}.upload_id`,
        }),
      },
      { key: ["upload_id", "start"], without: "unfinished" },
    ),
  ],
  eraseUser: removeUploadsOf,
  open({ db, blobs, intake, config }) {
    const receiver = createReceiver(db, blobs, createFinish(db, blobs, intake, config.quotaBytes));
    return {
      lateRoutes: {
        headers: ["Tus-Resumable", "Upload-Checksum", "Upload-Length", "Upload-Metadata", "Upload-Offset"],
        responseHeaders: ["Upload-Expires", "Upload-File-ID", "Upload-Length", "Upload-Metadata", "Upload-Offset"],
        names: [
          "POST /api/v1/uploads",
          "GET /api/v1/uploads",
          "GET /api/v1/uploads/:id",
          "PATCH /api/v1/uploads/:id",
          "DELETE /api/v1/uploads/:id",
          "POST /api/v1/files/known",
          "POST /api/v1/files/known-sizes",
        ],
        async load() {
          const [{ uploadRoutes }, { knownFilesRoutes }] = await loadRoutes();
          return [...uploadRoutes(db, receiver, config), ...knownFilesRoutes(db)];
        },
      },
      jobs: [{ name: "uploads", everyMs: hour, deletesByAge: true, run: receiver.cancelExpired }],
      pathHeaders: { [uploadsPath]: tusHeaders(config.maxUploadBytes) },
      close: receiver.close,
    };
  },
};
