import type { Module } from "../module.ts";
import { settingRoutes } from "./routes.ts";
import { fixedSettings } from "./store.ts";
import { findSettingUses } from "./uses.ts";

export const settingsModule: Module = {
  tags: { Settings: "What admins choose for the site." },
  tables: [{ name: "site_settings", key: ["name"] }],
  findUses: findSettingUses,
  open: ({ db, config }) => ({ routes: settingRoutes(db, fixedSettings(config)) }),
};
