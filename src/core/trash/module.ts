import { kindsOf, type Module } from "../../module.ts";
import { trashRoutes } from "./routes.ts";
import { standInForEntry } from "./stand-in.ts";
import { emptyOldTrash } from "./store.ts";

const hour = 3_600_000;

export const trashModule: Module = {
  tags: { Trash: "Deleted records, until they are removed permanently." },
  tables: [
    {
      name: "trash",
      key: ["id"],
      standIn: standInForEntry,
      recordReferences: [
        {
          kind: "kind",
          id: "record_id",
          // The others are being deleted permanently, step by step.
          where: "child.deleted_at > 0",
          repair: "delete these entries from the trash",
        },
      ],
    },
  ],
  open({ db, trash, modules, config: { trashDays } }) {
    return {
      routes: trashRoutes(db, trash, kindsOf(modules), trashDays),
      jobs: [{ name: "trash", everyMs: hour, deletesByAge: true, run: () => emptyOldTrash(db, trash, trashDays) }],
    };
  },
};
