import type { Module } from "../module.ts";
import { sql } from "../platform/database/sql.ts";
import { versionRoutes } from "./routes.ts";
import { removeOldVersions } from "./store.ts";

const hour = 3_600_000;

export const versionsModule: Module = {
  tags: { Versions: "Earlier contents of a file." },
  tables: [
    {
      name: "file_versions",
      key: ["id"],
      blobs: [
        {
          column: "sha256",
          size: (row) => `${row}.size`,
          owner: (row) => `${row}.owner_id`,
          label: (row) => `'version ' || ${row}.id || ' of file ' || ${row}.file_id`,
        },
      ],
    },
  ],
  holdings: (own) => [
    sql`SELECT owner_id, 'versions', count(*), CAST(sum(size) AS BIGINT) FROM file_versions WHERE ${own} GROUP BY 1`,
  ],
  open: ({ db, blobs, images, config }) => ({
    routes: versionRoutes(db, blobs, images, config),
    jobs: [{ name: "versions", everyMs: hour, run: () => removeOldVersions(db, config.versionDays) }],
  }),
};
