import { findersOf, type Module } from "../../module.ts";
import { createDavDoor } from "./door.ts";
import { removeExpiredLocks } from "./locks.ts";
import { removeStraySideFiles } from "./side-files.ts";

const [minute, hour] = [60_000, 3_600_000];

/** The tree of files over WebDAV, for programs that open and save files. */
export const davModule: Module = {
  tables: [
    { name: "dav_locks", key: ["token"], isTemporary: true },
    { name: "dav_properties", key: ["file_id", "namespace", "name"] },
    {
      name: "dav_side_files",
      key: ["id"],
      blobs: [{ column: "sha256", size: "size", counts: "stored", label: (row) => `'side file ' || ${row}.id` }],
    },
  ],
  open({ db, blobs, images, intake, trash, disk, guesses, modules, config, shareLinks }) {
    const { quotaBytes, versionsKept } = config;
    const findUses = findersOf(modules);
    const site = { db, blobs, images, intake, trash, findUses, quotaBytes, versionsKept };
    return {
      doors: [createDavDoor({ site, guesses, openLink: shareLinks.openWith, disk })],
      jobs: [
        { name: "locks of WebDAV", everyMs: 10 * minute, run: () => removeExpiredLocks(db) },
        { name: "side files", everyMs: 24 * hour, run: () => removeStraySideFiles(db) },
      ],
    };
  },
};
