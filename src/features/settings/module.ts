import { late } from "../../platform/once.ts";
import { recordActivity } from "../../core/activity/record.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import type { Module } from "../../module.ts";
import { findSettingUses } from "./uses.ts";

const loadRoutes = late(() => import("./routes.ts"));

/** The settings in the API, and the records that they name. */
export const settingRoutesModule: Module = {
  tags: { Settings: "What admins choose for the site." },
  findUses: findSettingUses,
  open: ({ db, config }) => ({
    lateRoutes: {
      names: ["GET /api/v1/settings", "PUT /api/v1/settings"],
      async load() {
        const { settingRoutes } = await loadRoutes();
        return settingRoutes(db, fixedSettings(config), (tx, userID, names) =>
          // Their names, not their values. They belong to no user: only admins see the activity.
          recordActivity(tx, userID, "changed", { kind: "settings", id: 1, ownerID: null, name: names.join(", ") }),
        );
      },
    },
  }),
};
