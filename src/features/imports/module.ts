import { findersOf, type Module, reactionsOf } from "../../module.ts";
import { countNotice, isTheirs } from "../../core/records/notice.ts";
import { createOriginals } from "../../content/photos/originals.ts";
import { sql } from "../../platform/database/sql.ts";
import { releaseClaims } from "./progress.ts";
import { importRoutes } from "./routes.ts";
import { createReading } from "./reading.ts";
import { createImports } from "./run.ts";
import { sourceRoutes } from "./source-routes.ts";
import { removePeople } from "./undo-people.ts";
import { importCounts, removeImportsOf, removeOldImports } from "./store.ts";

const second = 1000;
const hour = 3_600_000;

/** What comes from elsewhere, and photos from all images in a directory. */
export const importsModule: Module = {
  tags: { Imports: "What comes from elsewhere: archives, and exports of other programs." },
  tables: [
    { name: "imports", key: ["id"], json: ["plan", "progress"] },
    { name: "import_directories", key: ["import_id", "directory_id"] },
    { name: "import_files", key: ["import_id", "file_id"] },
    { name: "import_items", key: ["id"] },
  ],
  maintained: [importCounts],
  eraseUser: removeImportsOf,
  notices: {
    unfinishedImports: countNotice(
      "Imports that are running.",
      (caller) => sql`SELECT id FROM imports WHERE finished_at IS NULL AND ${isTheirs(caller, sql`owner_id`)}`,
    ),
  },
  async open({ db, blobs, config, images, intake, markdown, modules, trash, log }) {
    // No other process can work on them: what is claimed was left by one that has ended.
    if (!db.isShared) await releaseClaims(db);
    const originals = createOriginals(findersOf(modules));
    const imports = createImports(db, images, originals, log);
    const machine = { db, images, intake, markdown, originals, reactions: reactionsOf(modules) };
    const reading = createReading({
      ...machine,
      blobs,
      trash,
      dirs: config,
      allowPrivate: config.allowPrivateWebhooks,
      log,
      finished: imports.begin,
    });
    return {
      routes: [...importRoutes(db, imports), ...sourceRoutes(db, reading, config)],
      jobs: [
        { name: "imports", everyMs: 10 * second, run: imports.resume },
        { name: "sources of imports", everyMs: 10 * second, run: reading.resume },
        { name: "old imports", everyMs: hour, deletesByAge: true, run: () => removeOldImports(db) },
        { name: "people of undone imports", everyMs: hour, run: () => removePeople(db) },
      ],
      async close() {
        await reading.close();
        await imports.close();
      },
    };
  },
};
