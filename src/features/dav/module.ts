import { findersOf, type Module } from "../../module.ts";
import { blob, table } from "../../platform/database/table.ts";
import { late } from "../../platform/once.ts";
import { createDavDoor } from "./door.ts";

const loadLocks = late(() => import("./locks.ts"));
const loadSideFiles = late(() => import("./side-files.ts"));

const [minute, hour] = [60_000, 3_600_000];
const ofPrograms = "of the programs that mount the files";

/** The tree of files over WebDAV, for programs that open and save files. */
export const davModule: Module = {
  tables: [
    table("dav_locks", {}, { key: ["token"], isTemporary: true }),
    table("dav_properties", {}, { key: ["file_id", "namespace", "name"], without: ofPrograms }),
    table(
      "dav_side_files",
      { sha256: blob("", { size: "size", counts: "stored", label: (row) => `'side file ' || ${row}.id` }) },
      { without: ofPrograms },
    ),
  ],
  open({ db, blobs, images, intake, trash, disk, guesses, modules, config, shareLinks }) {
    const { quotaBytes, versionsKept } = config;
    const findUses = findersOf(modules);
    const site = { db, blobs, images, intake, trash, findUses, quotaBytes, versionsKept };
    return {
      doors: [createDavDoor({ site, guesses, openLink: shareLinks.openWith, disk })],
      jobs: [
        { name: "locks of WebDAV", everyMs: 10 * minute, run: async () => (await loadLocks()).removeExpiredLocks(db) },
        { name: "side files", everyMs: 24 * hour, run: async () => (await loadSideFiles()).removeStraySideFiles(db) },
      ],
    };
  },
};
