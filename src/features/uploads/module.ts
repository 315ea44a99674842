import type { Module } from "../../module.ts";
import { createFinish } from "./finish.ts";
import { knownFilesRoutes } from "./known-files.ts";
import { tusHeaders } from "./protocol.ts";
import { createReceiver } from "./receive.ts";
import { uploadRoutes, uploadsPath } from "./routes.ts";
import { removeUploadsOf } from "./store.ts";

const hour = 3_600_000;

export const uploadsModule: Module = {
  tags: { Uploads: "Resumable uploads with the tus protocol 1.0.0, and which contents need not be uploaded again." },
  tables: [
    {
      name: "uploads",
      key: ["id"],
      bytes: [{ size: "length", counts: "reserved", where: "file_id IS NULL" }],
    },
    {
      name: "upload_parts",
      key: ["upload_id", "start"],
      blobs: [
        {
          column: "sha256",
          size: "size",
          counts: "elsewhere",
          owner: (row) => `(SELECT owner_id FROM uploads WHERE id = ${row}.upload_id)`,
          label: (row) => `'upload ' || ${row}.upload_id`,
        },
      ],
    },
  ],
  eraseUser: removeUploadsOf,
  open({ db, blobs, intake, config }) {
    const receiver = createReceiver(db, blobs, createFinish(db, blobs, intake, config.quotaBytes));
    return {
      routes: [...uploadRoutes(db, receiver, config), ...knownFilesRoutes(db)],
      jobs: [{ name: "uploads", everyMs: hour, deletesByAge: true, run: receiver.cancelExpired }],
      pathHeaders: { [uploadsPath]: tusHeaders(config.maxUploadBytes) },
      close: receiver.close,
    };
  },
};
