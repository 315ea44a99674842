import type { Module } from "../../module.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import { mediaOriginOf } from "../site/policy.ts";

/** The web application of the people who write the site. It uses the API as every other client does. */
export const studioModule: Module = {
  open: ({ db, blobs, config }) => ({
    async loadPages() {
      const { studioPages } = await import("./pages.tsx");
      return studioPages(db, fixedSettings(config), mediaOriginOf(blobs, config.redirectDownloads));
    },
  }),
};
