import { recordActivity } from "../activity/record.ts";
import type { Module } from "../../module.ts";
import { settingRoutes } from "./routes.ts";
import { fixedSettings } from "./store.ts";
import { findSettingUses } from "./uses.ts";

export const settingsModule: Module = {
  tags: { Settings: "What admins choose for the site." },
  tables: [{ name: "site_settings", key: ["name"], json: ["value"] }],
  findUses: findSettingUses,
  open: ({ db, config }) => ({
    routes: settingRoutes(db, fixedSettings(config), (tx, userID, names) =>
      // Their names, not their values. They belong to no user: only admins see the activity.
      recordActivity(tx, userID, "changed", { kind: "settings", id: 1, ownerID: null, name: names.join(", ") }),
    ),
  }),
};
