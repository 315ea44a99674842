import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";

const loadRoutes = late(() => import("./routes.ts"));

export const versionsModule: Module = {
  tags: { Versions: "Earlier contents of a file." },
  open: ({ db, blobs, intake }) => ({
    lateRoutes: {
      names: [
        "PUT /api/v1/files/:id/content",
        "GET /api/v1/files/:id/versions",
        "GET /api/v1/files/:id/versions/:versionID/content",
        "POST /api/v1/files/:id/versions/:versionID/restore",
        "DELETE /api/v1/files/:id/versions/:versionID",
      ],
      async load() {
        const { versionRoutes } = await loadRoutes();
        return versionRoutes(db, blobs, intake);
      },
    },
  }),
};
