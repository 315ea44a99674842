import { recordActivity } from "../../core/activity/record.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import type { Module } from "../../module.ts";
import { settingRoutes } from "./routes.ts";
import { findSettingUses } from "./uses.ts";

/** The settings in the API, and the records that they name. */
export const settingRoutesModule: Module = {
  tags: { Settings: "What admins choose for the site." },
  findUses: findSettingUses,
  open: ({ db, config }) => ({
    routes: settingRoutes(db, fixedSettings(config), (tx, userID, names) =>
      // Their names, not their values. They belong to no user: only admins see the activity.
      recordActivity(tx, userID, "changed", { kind: "settings", id: 1, ownerID: null, name: names.join(", ") }),
    ),
  }),
};
