import { type Module, tellVisibility } from "../module.ts";
import { batchRoutes } from "./routes.ts";

/** Changes of many records at once. */
export const batchesModule: Module = {
  open: ({ db, images, trash, modules }) => ({
    routes: batchRoutes({ db, images, trash, visibilityChanged: tellVisibility(modules, "photo") }),
  }),
};
