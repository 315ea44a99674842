import { type Module, reactionsOf } from "../module.ts";
import { batchRoutes } from "./routes.ts";

/** Changes of many records at once. */
export const batchesModule: Module = {
  open: ({ db, trash, modules }) => ({
    routes: batchRoutes({
      db,
      trash,
      async visibilityChanged(tx, id) {
        for (const { visibilityChanged } of reactionsOf(modules)) await visibilityChanged?.photo?.(tx, id);
      },
    }),
  }),
};
