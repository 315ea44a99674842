import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { profileTable } from "./tables.ts";
import { giveProfile } from "./store.ts";

const loadRoutes = late(() => import("./routes.ts"));

export const profilesModule: Module = {
  tables: [profileTable],
  reactions: { personNamed: giveProfile },
  open: ({ db }) => ({
    lateRoutes: {
      names: ["GET /api/v1/me/profile", "PUT /api/v1/me/profile", "GET /api/v1/people/:id"],
      async load() {
        const { profileRoutes } = await loadRoutes();
        return profileRoutes(db);
      },
    },
  }),
};
