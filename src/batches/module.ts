import { type Module, tellVisibility } from "../module.ts";
import { batchRoutes } from "./routes.ts";

/** Changes of many records at once. */
export const batchesModule: Module = {
  open: ({ db, images, trash, modules, config: { quotaBytes } }) => ({
    routes: batchRoutes({ db, images, trash, quotaBytes, visibilityChanged: tellVisibility(modules, "photo") }),
  }),
};
