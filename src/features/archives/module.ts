import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { blob, fromOthers, table } from "../../platform/database/table.ts";
import { createMaker } from "./maker.ts";
import { removeExpired } from "./store.ts";

const loadRoutes = late(() => import("./routes.ts"));

const tenSeconds = 10_000;
const hour = 3_600_000;

/** Archives that people ask for of their own data. */
export const archivesModule: Module = {
  tables: [
    table(
      "archives",
      {
        sha256: blob("", {
          size: "size",
          // Towards no quota: it is a copy of what counts already.
          counts: "elsewhere",
          owner: (row) => `${row}.user_id`,
          label: (row) => `'the archive of user ' || ${row}.user_id`,
        }),
      },
      { key: ["user_id"], without: fromOthers },
    ),
  ],
  open({ db, blobs, config, log, stopping }) {
    const maker = createMaker({ db, blobs, dataDir: config.dataDir, log, stopping });
    return {
      lateRoutes: {
        names: [
          "POST /api/v1/me/archive",
          "GET /api/v1/me/archive",
          "GET /api/v1/me/archive/content",
          "DELETE /api/v1/me/archive",
        ],
        async load() {
          const { archiveRoutes } = await loadRoutes();
          return archiveRoutes(db, blobs, maker.start);
        },
      },
      jobs: [
        { name: "archives of people", everyMs: tenSeconds, run: maker.makeAll },
        { name: "old archives", everyMs: hour, deletesByAge: true, run: () => removeExpired(db) },
      ],
      close: maker.close,
    };
  },
};
