import type { Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { albumPages } from "./albums/pages.ts";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { photoPages } from "./photos/pages.ts";
import { assetRoute, createRenderer } from "./render.ts";

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  open({ db, config }) {
    const renderer = createRenderer(db, fixedSettings(config));
    const pages = [...homePages(db), ...photoPages(db), ...albumPages(db)];
    return {
      site: {
        pages: [...pages.map(renderer.toRoute), assetRoute],
        errorPage: errorPage(renderer),
        languages,
      },
    };
  },
};
