import type { Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { mediaOriginOf } from "../site/policy.ts";
import { studioPages } from "./pages.tsx";

/** The web application of the people who write the site. It uses the API as every other client does. */
export const studioModule: Module = {
  open: (site) => ({ pages: studioPages(site.db, fixedSettings(site.config), mediaOriginOf(site)) }),
};
