import { findersOf, type Module } from "../../module.ts";
import { createOriginals } from "../../content/photos/originals.ts";
import { batchRoutes } from "./routes.ts";

/** Changes of many records at once. */
export const batchesModule: Module = {
  open: ({ db, images, trash, modules, config: { quotaBytes } }) => ({
    routes: batchRoutes({
      db,
      images,
      trash,
      originals: createOriginals(findersOf(modules)),
      quotaBytes,
    }),
  }),
};
