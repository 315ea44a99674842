import { late } from "../../platform/once.ts";
import { countedFields, declaredParts } from "../holdings/summary.ts";
import { kindsOf, type Module, tablesOf } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { removeOldSnapshots } from "../../platform/database/upgrade-snapshots.ts";
import { removeExpiredKeys } from "../../platform/http/idempotency-store.ts";
import { diskSpace, largeLog, usedStorage } from "./notice.ts";
import { deriveStorage } from "./byte-triggers.ts";
import { removeLeftovers } from "./released.ts";
import { createReport } from "./report.ts";
import { storedBytes } from "./stored-bytes.ts";
import { sweep } from "./sweep.ts";

const loadRoutes = late(() => import("./routes.ts"));

const hour = 3_600_000;

export const storageModule: Module = {
  tags: { Storage: "Storage usage." },
  tables: [
    table("reservations", {}, { isTemporary: true }),
    table("blob_holds", {}, { isTemporary: true }),
    // Counted again by the triggers of the other database.
    table("stored_bytes", {}, { key: ["owner_id", "lane"], isTemporary: true }),
  ],
  maintained: [storedBytes],
  notices: { storage: usedStorage, disk: diskSpace, largeLogBytes: largeLog },
  deriveSchema: deriveStorage,
  open({ db, blobs, holdings, modules, config }) {
    const removeSnapshots = async () => {
      if (db.engine === "sqlite") removeOldSnapshots(config.databaseDir);
    };
    const fields = { counts: countedFields(kindsOf(modules)), parts: declaredParts(tablesOf(modules)) };
    return {
      lateRoutes: {
        names: ["GET /api/v1/storage"],
        async load() {
          const { storageRoutes } = await loadRoutes();
          return storageRoutes(createReport(db, holdings, fields), config.quotaBytes);
        },
      },
      jobs: [
        { name: "reservations", everyMs: hour, run: () => removeLeftovers(db, blobs) },
        { name: "idempotency keys", everyMs: hour, run: () => removeExpiredKeys(db) },
        { name: "snapshots", everyMs: 24 * hour, deletesByAge: true, run: removeSnapshots },
        // Bytes that are just being stored belong to no row yet: they are told by their age.
        { name: "blobs", everyMs: 24 * hour, deletesByAge: true, run: (lease) => sweep(db, blobs, lease) },
      ],
    };
  },
};
