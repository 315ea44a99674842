import type { Module } from "../../module.ts";

export const settingsModule: Module = { tables: [{ name: "site_settings", key: ["name"], json: ["value"] }] };
