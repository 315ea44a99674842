import {
  blob,
  created,
  derived,
  id,
  number,
  owner,
  partOf,
  ref,
  table,
  text,
  time,
  title,
  trash,
  updated,
  visibility,
} from "../../platform/database/table.ts";
import { root } from "./rows.ts";
import { standInForFile } from "./stand-in.ts";

const repair = "restore a backup from before the damage";

export const filesTable = table(
  "files",
  {
    id: id(),
    parent_id: ref("file", "the directory that contains it; 0 at the top", {
      isNeeded: true,
      comesAlong: true,
      none: root.id,
      lost: { table: "files", where: "child.parent_id <> 0 AND child.trash_id IS NULL", repair },
    }),
    owner_id: owner(),
    trash_id: trash(),
    name: title("its name"),
    size: number("its bytes"),
    sha256: blob("the SHA-256 of its bytes; null for a directory", {
      size: "size",
      counts: "stored",
      label: (row) => `'file ' || ${row}.id`,
    }),
    content_type: text("its type, such as `image/jpeg`"),
    is_private: visibility(),
    created_at: created(),
    updated_at: updated(),
    content_at: time("when it got these bytes"),
    name_key: derived(),
    order_key: derived(),
  },
  {
    exported: {
      file: "files",
      about: "Files and directories.",
      further: { isDirectory: "whether it is a directory", path: "its path in the export" },
    },
    standIn: standInForFile,
    tree: { parent: "parent_id", isRoot: "child.parent_id = 0 OR child.trash_id IS NOT NULL" },
    contradictions: [
      {
        where:
          "child.trash_id IS NULL AND EXISTS (SELECT 1 FROM files AS parent WHERE parent.id = child.parent_id AND parent.sha256 IS NOT NULL)",
        what: "in a file that is no directory",
        repair,
      },
    ],
  },
);

export const versionsTable = table(
  "file_versions",
  {
    id: id(),
    file_id: partOf("files", undefined, "version"),
    owner_id: owner(),
    size: number("its bytes"),
    sha256: blob("the SHA-256 of its bytes", {
      size: "size",
      counts: "stored",
      label: (row) => `'version ' || ${row}.id || ' of file ' || ${row}.file_id`,
      part: { field: "versions", description: "What files held before." },
    }),
    content_type: text("its type, such as `image/jpeg`"),
    created_at: created("when the file got these bytes"),
    replaced_at: time("when they were replaced"),
  },
  {
    exported: {
      file: "versions",
      about: "What files held before.",
      further: { path: "its path in the export" },
    },
  },
);
