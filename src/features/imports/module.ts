import { late } from "../../platform/once.ts";
import { findersOf, type Module, reactionsOf } from "../../module.ts";
import { json, table } from "../../platform/database/table.ts";
import { countNotice, isTheirs } from "../../core/records/notice.ts";
import { createOriginals } from "../../content/photos/originals.ts";
import { sql } from "../../platform/database/sql.ts";
import { startPhotos } from "./make-photos.ts";
import { startSourceImports } from "./source-imports.ts";
import { importCounts, removeImportsOf, removeOldImports } from "./store.ts";

const loadRoutes = late(() => import("./routes.ts"));
const loadUndo = late(() => import("./undo.ts"));
const loadPlanned = late(() => import("./planned-source.ts"));
const hour = 3_600_000;
const howItCame = "how records came here";

/** What comes from elsewhere, and photos from all images in a directory. */
export const importsModule: Module = {
  tags: { Imports: "What comes from elsewhere: archives, and exports of other programs." },
  tables: [
    table("imports", { plan: json(), progress: json() }, { without: howItCame }),
    table("import_files", {}, { key: ["import_id", "file_id"], without: howItCame }),
    table("import_items", {}, { without: howItCame }),
  ],
  maintained: [importCounts],
  eraseUser: removeImportsOf,
  notices: {
    unfinishedImports: countNotice(
      "Imports that are running.",
      (caller) => sql`SELECT id FROM imports WHERE finished_at IS NULL AND ${isTheirs(caller, sql`owner_id`)}`,
    ),
  },
  async open({ db, blobs, config, images, intake, markdown, modules, trash, log, metrics }) {
    const originals = createOriginals(findersOf(modules));
    const uses = { db, images, originals, log, metrics };
    const photos = await startPhotos(uses);
    const ofPlanned = { db, blobs, dirs: config, allowPrivate: config.allowPrivateWebhooks };
    const planned = async () => (await loadPlanned()).createPlannedSources(ofPlanned);
    const [reactions, wakePhotos] = [reactionsOf(modules), photos.wake];
    const sources = await startSourceImports({ ...uses, intake, markdown, reactions, trash, planned, wakePhotos });
    return {
      lateRoutes: {
        names: [
          "POST /api/v1/photos/import",
          "GET /api/v1/imports/:id",
          "GET /api/v1/imports/:id/files",
          "DELETE /api/v1/imports/:id",
          "POST /api/v1/imports",
          "GET /api/v1/imports",
          "GET /api/v1/imports/:id/items",
          "POST /api/v1/imports/:id/resume",
          "POST /api/v1/imports/:id/undo",
        ],
        load: async () => (await loadRoutes()).importRoutes({ db, photos, sources, planned: await planned() }),
      },
      jobs: [
        { name: "old imports", everyMs: hour, deletesByAge: true, run: () => removeOldImports(db) },
        { name: "people of undone imports", everyMs: hour, run: async () => (await loadUndo()).removePeople(db) },
      ],
      async close() {
        await sources.close();
        await photos.close();
      },
    };
  },
};
