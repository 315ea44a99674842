import { late } from "../../platform/once.ts";
import { targetKinds } from "../../content/comments/target.ts";
import type { Module } from "../../module.ts";
import { heartTables } from "./tables.ts";
import { purgeHearts, takeBackHearts } from "./store.ts";

const loadRoutes = late(() => import("./routes.ts"));

export const heartsModule: Module = {
  tags: { Hearts: "Hearts on posts, photos and albums, where the site has them." },
  tables: heartTables,
  reactions: { purged: purgeHearts },
  eraseUser: takeBackHearts,
  open: ({ db }) => ({
    lateRoutes: {
      names: [
        "GET /api/v1/blog/:id/heart",
        "PUT /api/v1/blog/:id/heart",
        "DELETE /api/v1/blog/:id/heart",
        "GET /api/v1/photos/:id/heart",
        "PUT /api/v1/photos/:id/heart",
        "DELETE /api/v1/photos/:id/heart",
        "GET /api/v1/albums/:id/heart",
        "PUT /api/v1/albums/:id/heart",
        "DELETE /api/v1/albums/:id/heart",
      ],
      async load() {
        const { heartRoutes } = await loadRoutes();
        return targetKinds.flatMap((kind) => heartRoutes(db, kind));
      },
    },
  }),
};
