import { kindsOf, type Module } from "../../module.ts";
import { trashTable } from "./tables.ts";
import { trashRoutes } from "./routes.ts";
import { emptyOldTrash } from "./store.ts";

const hour = 3_600_000;

export const trashModule: Module = {
  tags: { Trash: "Deleted records, until they are removed permanently." },
  tables: [trashTable],
  open({ db, trash, modules, config: { trashDays } }) {
    return {
      routes: trashRoutes(db, trash, kindsOf(modules), trashDays),
      jobs: [{ name: "trash", everyMs: hour, deletesByAge: true, run: () => emptyOldTrash(db, trash, trashDays) }],
    };
  },
};
