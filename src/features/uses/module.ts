import { late } from "../../platform/once.ts";
import { findersOf, type Module } from "../../module.ts";

const loadRoutes = late(() => import("./routes.ts"));

/** Which records use others. */
export const usesModule: Module = {
  open: ({ db, modules }) => ({
    lateRoutes: {
      names: ["GET /api/v1/files/:id/uses"],
      async load() {
        const { useRoutes } = await loadRoutes();
        return useRoutes(db, findersOf(modules));
      },
    },
  }),
};
