import type { Module } from "../../module.ts";
import { blob, bytes, table } from "../../platform/database/table.ts";
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
      routes: [...uploadRoutes(db, receiver, config), ...knownFilesRoutes(db)],
      jobs: [{ name: "uploads", everyMs: hour, deletesByAge: true, run: receiver.cancelExpired }],
      pathHeaders: { [uploadsPath]: tusHeaders(config.maxUploadBytes) },
      close: receiver.close,
    };
  },
};
