import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { defaultMenu } from "../../core/settings/menu.ts";
import { checkOwnFactor } from "../../core/settings/needed-factors.ts";
import {
  settingsChangesSchema,
  type SettingName,
  settingsSchema,
  type Settings,
} from "../../core/settings/settings.ts";
import {
  changeSettings,
  type FixedSettings,
  lockSettings,
  namesFromEnvironment,
  readSettings,
} from "../../core/settings/store.ts";
import { checkRecords, withoutLostRecords } from "./records.ts";

const tag = "Settings";

/** Records which settings a user has changed, in the transaction of the change. */
type RecordChange = (tx: Queries, userID: number, names: string[]) => void;

export function settingRoutes(db: Database, fixed: FixedSettings, recordChange: RecordChange): Route[] {
  const present = async (read: Reader, settings: Settings) => ({
    ...(await withoutLostRecords(read, settings)),
    defaultMenu,
    fromEnvironment: namesFromEnvironment(fixed),
  });
  return [
    route({
      method: "GET",
      path: "/api/v1/settings",
      name: "readSettings",
      tag,
      summary: "Read the settings of the site",
      role: "admin",
      response: settingsSchema,
      handle: async () => present(db, await readSettings(db, fixed)),
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
      scope: "admin",
      current: async (tx) => present(tx, await lockSettings(tx, fixed)),
      body: settingsChangesSchema,
      response: settingsSchema,
      statuses: { 409: "You require a second factor of others and have none" },
      async handle({ body, caller, transaction }) {
        const settings = await transaction(async (tx) => {
          const before = await lockSettings(tx, fixed);
          await checkOwnFactor(tx, caller.id, before, body);
          const after = await changeSettings(tx, fixed, body);
          await checkRecords(tx, body);
          const names = (Object.keys(after) as SettingName[]).filter(
            (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
          );
          if (names.length > 0) recordChange(tx, caller.id, names);
          return after;
        });
        return present(db, settings);
      },
    }),
  ];
}
