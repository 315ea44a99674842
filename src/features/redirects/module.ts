import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";

const loadRoutes = late(() => import("./routes.ts"));

/** Where addresses of an earlier site lead. */
export const redirectsModule: Module = {
  tags: { Redirects: "Addresses of an earlier site, and where they lead. For admins." },
  open: ({ db }) => ({
    lateRoutes: {
      names: [
        "GET /api/v1/redirects",
        "GET /api/v1/redirects/:id",
        "POST /api/v1/redirects",
        "PUT /api/v1/redirects/:id",
        "DELETE /api/v1/redirects/:id",
        "POST /api/v1/redirects/remove",
      ],
      async load() {
        const { redirectRoutes } = await loadRoutes();
        return redirectRoutes(db);
      },
    },
  }),
};
