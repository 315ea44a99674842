import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { linkHeaders } from "./open-link.ts";
import { shareTables } from "./tables.ts";
import { countNotice, isTheirs } from "../../core/records/notice.ts";
import { sql } from "../../platform/database/sql.ts";
import { createApproval } from "./approve.ts";
import { removeOldShares } from "./store.ts";
import { findShareUses } from "./uses.ts";

const loadRoutes = late(() => Promise.all([import("./routes.ts"), import("./upload-routes.ts")]));

const hour = 3_600_000;

export const sharesModule: Module = {
  tags: { Shares: "Links by which records can be read without signing in." },
  tables: shareTables,
  findUses: findShareUses,
  notices: {
    waitingUploads: countNotice(
      "Pictures from guests that wait for approval.",
      (caller) => sql`SELECT id FROM share_uploads WHERE ${isTheirs(caller, sql`owner_id`)}`,
    ),
  },
  open({ db, blobs, images, intake, shareLinks, modules, config }) {
    const { shareables, open: openLink, receive } = shareLinks;
    const approve = createApproval({ db, blobs, images, intake });
    return {
      lateRoutes: {
        headers: Object.keys(linkHeaders),
        names: [
          "POST /api/v1/shares",
          "GET /api/v1/shares",
          "GET /api/v1/shares/:id",
          "PUT /api/v1/shares/:id",
          "DELETE /api/v1/shares/:id",
          "GET /api/v1/shared",
          "POST /api/v1/shared/uploads",
          "GET /api/v1/shares/:id/uploads",
          "GET /api/v1/shares/:id/uploads/:uploadID/content",
          "POST /api/v1/shares/:id/uploads/:uploadID/approve",
          "DELETE /api/v1/shares/:id/uploads/:uploadID",
        ],
        async load() {
          const [{ shareRoutes }, { guestUploadRoutes }] = await loadRoutes();
          return [
            ...shareRoutes({ db, shareables, openLink, baseURL: config.baseURL }),
            ...guestUploadRoutes({ db, blobs, shareables, openLink, receive, approve }),
          ];
        },
      },
      jobs: [{ name: "shares", everyMs: hour, deletesByAge: true, run: () => removeOldShares(db, kindsOf(modules)) }],
      close: shareLinks.close,
    };
  },
};
