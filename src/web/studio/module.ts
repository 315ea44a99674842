import type { Module } from "../../module.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import { late } from "../../platform/once.ts";
import { mediaOriginOf } from "../site/policy.ts";

const loadStudioPages = late(() => import("./pages.tsx"));

/** The web application of the people who write the site. It uses the API as every other client does. */
export const studioModule: Module = {
  open: ({ db, blobs, config }) => ({
    async loadPages() {
      const { studioPages } = await loadStudioPages();
      return studioPages(db, fixedSettings(config), mediaOriginOf(blobs, config.redirectDownloads));
    },
  }),
};
