import type { Database } from "../platform/database/database.ts";
import { type Route, route } from "../platform/http/route.ts";
import { settingsChangesSchema, type SettingName, settingsSchema, type Settings } from "./settings.ts";
import { changeSettings, type FixedSettings, lockSettings, readSettings } from "./store.ts";

const tag = "Settings";

export function settingRoutes(db: Database, fixed: FixedSettings): Route[] {
  const present = (settings: Settings) => ({ ...settings, fromEnvironment: Object.keys(fixed) as SettingName[] });
  return [
    route({
      method: "GET",
      path: "/api/v1/settings",
      name: "readSettings",
      tag,
      summary: "Read the settings of the site",
      role: "admin",
      answer: settingsSchema,
      handle: async () => present(await readSettings(db, fixed)),
    }),

    route({
      method: "PUT",
      path: "/api/v1/settings",
      name: "changeSettings",
      tag,
      summary: "Change settings of the site",
      details:
        "Omitted settings keep their values. A setting that comes from an environment variable can only be changed there.",
      role: "admin",
      current: async (tx) => present(await lockSettings(tx, fixed)),
      body: settingsChangesSchema,
      answer: settingsSchema,
      handle: async ({ body, transaction }) => present(await transaction((tx) => changeSettings(tx, fixed, body))),
    }),
  ];
}
