import type { Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { assetRoute, createRenderer } from "./render.ts";
import { webRoutes } from "./web/web-routes.ts";

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  open(site) {
    const { db, config } = site;
    const renderer = createRenderer(db, fixedSettings(config));
    const pages = [...homePages(db)];
    return {
      site: {
        // Their paths are more specific than those of pages.
        pages: [...webRoutes(site, renderer), ...pages.map(renderer.toRoute), assetRoute],
        errorPage: errorPage(renderer),
        languages,
      },
    };
  },
};
