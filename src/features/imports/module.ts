import { findersOf, type Module } from "../../module.ts";
import { countNotice, isTheirs } from "../../core/records/notice.ts";
import { createOriginals } from "../../content/photos/originals.ts";
import { sql } from "../../platform/database/sql.ts";
import { releaseClaims } from "./progress.ts";
import { importRoutes } from "./routes.ts";
import { createImports } from "./run.ts";
import { importCounts, removeOldImports } from "./store.ts";

const second = 1000;
const hour = 3_600_000;

/** What comes from elsewhere, and photos from all images in a directory. */
export const importsModule: Module = {
  tables: [
    { name: "imports", key: ["id"] },
    { name: "import_directories", key: ["import_id", "directory_id"] },
    { name: "import_files", key: ["import_id", "file_id"] },
    { name: "import_items", key: ["id"] },
  ],
  maintained: [importCounts],
  notices: {
    unfinishedImports: countNotice(
      "Imports that are running.",
      (caller) => sql`SELECT id FROM imports WHERE finished_at IS NULL AND ${isTheirs(caller, sql`owner_id`)}`,
    ),
  },
  async open({ db, images, modules, log }) {
    // No other process can work on them: what is claimed was left by one that has ended.
    if (!db.isShared) await releaseClaims(db);
    const imports = createImports(db, images, createOriginals(findersOf(modules)), log);
    return {
      routes: importRoutes(db, imports),
      jobs: [
        { name: "imports", everyMs: 10 * second, run: imports.resume },
        { name: "old imports", everyMs: hour, run: () => removeOldImports(db) },
      ],
      close: imports.close,
    };
  },
};
