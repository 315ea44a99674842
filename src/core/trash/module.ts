import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { trashTable } from "./tables.ts";
import { emptyOldTrash } from "./store.ts";

const loadRoutes = late(() => import("./routes.ts"));

const hour = 3_600_000;

export const trashModule: Module = {
  tags: { Trash: "Deleted records, until they are removed permanently." },
  tables: [trashTable],
  open({ db, trash, modules, config: { trashDays } }) {
    return {
      lateRoutes: {
        names: [
          "GET /api/v1/trash",
          "POST /api/v1/trash/:id/restore",
          "POST /api/v1/trash/restore",
          "POST /api/v1/trash/delete",
          "DELETE /api/v1/trash/:id",
          "DELETE /api/v1/trash",
        ],
        async load() {
          const { trashRoutes } = await loadRoutes();
          return trashRoutes(db, trash, kindsOf(modules), trashDays);
        },
      },
      jobs: [{ name: "trash", everyMs: hour, deletesByAge: true, run: () => emptyOldTrash(db, trash, trashDays) }],
    };
  },
};
