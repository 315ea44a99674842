import type { Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { studioPages } from "./pages.tsx";

/** The web application of the people who write the site. It uses the API as every other client does. */
export const studioModule: Module = {
  open: ({ db, config }) => ({ pages: studioPages(db, fixedSettings(config)) }),
};
