import { late } from "../../platform/once.ts";
import { findersOf, type Module } from "../../module.ts";
import { createOriginals } from "../../content/photos/originals.ts";

const loadRoutes = late(() => import("./routes.ts"));

/** Changes of many records at once. */
export const batchesModule: Module = {
  open: ({ db, images, trash, modules, config: { quotaBytes } }) => ({
    lateRoutes: {
      names: [
        "POST /api/v1/photos/batch",
        "POST /api/v1/photos/many",
        "POST /api/v1/files/batch",
        "POST /api/v1/blog/batch",
        "POST /api/v1/albums/batch",
      ],
      async load() {
        const { batchRoutes } = await loadRoutes();
        return batchRoutes({
          db,
          images,
          trash,
          originals: createOriginals(findersOf(modules)),
          quotaBytes,
        });
      },
    },
  }),
};
