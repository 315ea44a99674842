import { kindsOf, type Module } from "../../module.ts";
import { shareTables } from "./tables.ts";
import { countNotice, isTheirs } from "../../core/records/notice.ts";
import { sql } from "../../platform/database/sql.ts";
import { createApproval } from "./approve.ts";
import { shareRoutes } from "./routes.ts";
import { removeOldShares } from "./store.ts";
import { guestUploadRoutes } from "./upload-routes.ts";
import { findShareUses } from "./uses.ts";

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
      routes: [
        ...shareRoutes({ db, shareables, openLink, baseURL: config.baseURL }),
        ...guestUploadRoutes({ db, blobs, shareables, openLink, receive, approve }),
      ],
      jobs: [{ name: "shares", everyMs: hour, deletesByAge: true, run: () => removeOldShares(db, kindsOf(modules)) }],
      close: shareLinks.close,
    };
  },
};
