import type { Module } from "../../module.ts";
import { json, table, text } from "../../platform/database/table.ts";

export const settingsModule: Module = {
  tables: [
    table(
      "site_settings",
      { name: text("as in `GET /api/v1/settings`; `menu` is the menu"), value: json("its value") },
      { key: ["name"], exported: { file: "settings", about: "What admins have chosen." } },
    ),
  ],
};
