import type { Module } from "../../module.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { fileSchema, fileTexts } from "./file.ts";
import { readFileHoldings } from "./holdings.ts";
import { restorableFiles } from "./restorable.ts";
import { maxDepth, maxNameBytes } from "./names.ts";
import { fileRoutes } from "./routes.ts";
import { findPresentedFiles } from "./store.ts";
import { sharedFiles } from "./share-reach.ts";
import { standInForFile } from "./stand-in.ts";
import { trashableFiles } from "./trash.ts";
import { listCandidates } from "./unread.ts";
import { unreadablePictures } from "./unreadable-notice.ts";
import { removeOldVersions } from "./versions.ts";

const hour = 3_600_000;

/** Files and their versions refer to their content in the same way. */
const content = { column: "sha256", size: "size", counts: "stored" } as const;

export const filesModule: Module = {
  tags: {
    Files: `A tree of directories and files. A name has at most ${maxNameBytes} bytes, none of them \`/\`, \`\\\` or a control character, and is not blank, \`.\` or \`..\`. A path has at most ${maxDepth} names.`,
  },
  tables: [
    {
      name: "files",
      key: ["id"],
      blobs: [{ ...content, label: (row) => `'file ' || ${row}.id` }],
      standIn: standInForFile,
      references: [
        {
          column: "parent_id",
          table: "files",
          where: "child.parent_id <> 0 AND child.trash_id IS NULL",
          repair: "restore a backup from before the damage",
        },
      ],
      tree: { parent: "parent_id", isRoot: "child.parent_id = 0 OR child.trash_id IS NOT NULL" },
      contradictions: [
        {
          where:
            "child.trash_id IS NULL AND EXISTS (SELECT 1 FROM files AS parent WHERE parent.id = child.parent_id AND parent.sha256 IS NOT NULL)",
          what: "in a file that is no directory",
          repair: "restore a backup from before the damage",
        },
      ],
    },
    {
      name: "file_versions",
      key: ["id"],
      blobs: [
        {
          ...content,
          label: (row) => `'version ' || ${row}.id || ' of file ' || ${row}.file_id`,
          part: { field: "versions", description: "What files held before." },
        },
      ],
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
      restorable: restorableFiles,
    }),
  ],
  holdings: readFileHoldings,
  notices: { unreadablePictures },
  open: ({ db, blobs, images, intake, trash, config }) => ({
    routes: fileRoutes({ db, blobs, images, intake, trash }, config),
    jobs: [
      { name: "images", everyMs: hour, run: () => images.readMissing((id, limit) => listCandidates(db, id, limit)) },
      { name: "versions", everyMs: hour, deletesByAge: true, run: () => removeOldVersions(db, config.versionDays) },
    ],
  }),
};
