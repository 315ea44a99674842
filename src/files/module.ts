import type { Module } from "../module.ts";
import { sql } from "../platform/database/sql.ts";
import { recordKind } from "../record-kind.ts";
import { fileSchema, fileTexts } from "./file.ts";
import { fileRoutes } from "./routes.ts";
import { findPresentedFiles } from "./store.ts";
import { sharedFiles } from "./shared.ts";
import { trashableFiles } from "./trash.ts";
import { removeOldVersions } from "./versions.ts";

const hour = 3_600_000;

/** Files and their versions refer to their content in the same way. */
const content = {
  column: "sha256",
  size: (row: string) => `${row}.size`,
  owner: (row: string) => `${row}.owner_id`,
};

export const filesModule: Module = {
  tags: { Files: "A tree of directories and files." },
  tables: [
    {
      name: "files",
      key: ["id"],
      blobs: [{ ...content, label: (row) => `'file ' || ${row}.id` }],
    },
    {
      name: "file_versions",
      key: ["id"],
      blobs: [{ ...content, label: (row) => `'version ' || ${row}.id || ' of file ' || ${row}.file_id` }],
    },
  ],
  kinds: [
    recordKind({
      name: "file",
      table: "files",
      schema: fileSchema,
      find: findPresentedFiles,
      texts: (file) => fileTexts(file),
      trash: trashableFiles,
      shared: sharedFiles,
    }),
  ],
  /** What lies below a directory in the trash is there with it. */
  holdings: (own) => [
    sql`SELECT owner_id, 'files' AS part, count(*) AS count, CAST(sum(size) AS BIGINT) AS bytes
      FROM files WHERE ${own} GROUP BY 1`,
    sql`SELECT owner_id, 'directories', count(*), 0 FROM files WHERE sha256 IS NULL AND ${own} GROUP BY 1`,
    sql`SELECT owner_id, CASE WHEN sha256 IS NULL THEN 'trashed directories' ELSE 'trash' END, count(*),
        CAST(sum(size) AS BIGINT)
      FROM (
        WITH RECURSIVE trashed (id, owner_id, size, sha256) AS (
          SELECT id, owner_id, size, sha256 FROM files WHERE trash_id IS NOT NULL UNION ALL
          SELECT files.id, files.owner_id, files.size, files.sha256
          FROM files JOIN trashed ON files.parent_id = trashed.id WHERE files.trash_id IS NULL
        )
        SELECT owner_id, size, sha256 FROM trashed) AS trashed
      WHERE ${own} GROUP BY 1, 2`,
    sql`SELECT owner_id, 'versions', count(*), CAST(sum(size) AS BIGINT) FROM file_versions WHERE ${own} GROUP BY 1`,
  ],
  open: ({ db, blobs, images, intake, trash, config }) => ({
    routes: fileRoutes({ db, blobs, images, intake, trash }, config),
    jobs: [{ name: "versions", everyMs: hour, run: () => removeOldVersions(db, config.versionDays) }],
  }),
};
