import { kindsOf, type Module } from "../module.ts";
import { removeExpiredKeys } from "../platform/http/idempotency-store.ts";
import { diskSpace, usedStorage } from "./notice.ts";
import { recordRelease, removeLeftovers } from "./released.ts";
import { createReport } from "./report.ts";
import { storageRoutes } from "./routes.ts";
import { storedBytes } from "./stored-bytes.ts";
import { sweep } from "./sweep.ts";

const hour = 3_600_000;

export const storageModule: Module = {
  tags: { Storage: "Storage usage." },
  tables: [
    { name: "reservations", key: ["id"], isTemporary: true },
    // Counted again by the triggers of the other database.
    { name: "stored_bytes", key: ["owner_id", "lane"], isTemporary: true },
  ],
  maintained: [storedBytes],
  notices: { storage: usedStorage, disk: diskSpace },
  released: recordRelease,
  open({ db, blobs, holdings, modules, config }) {
    return {
      routes: storageRoutes(createReport(db, holdings, kindsOf(modules)), config.quotaBytes),
      jobs: [
        { name: "reservations", everyMs: hour, run: () => removeLeftovers(db, blobs) },
        { name: "idempotency keys", everyMs: hour, run: () => removeExpiredKeys(db) },
        { name: "blobs", everyMs: 24 * hour, run: (lease) => sweep(db, blobs, lease) },
      ],
    };
  },
};
