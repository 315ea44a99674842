import { kindsOf, type Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { browsePages } from "./browse/pages.tsx";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { searchPages } from "./search/pages.tsx";
import { assetRoute, createRenderer } from "./render.ts";

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  open({ db, blobs, images, modules, config }) {
    const renderer = createRenderer(db, fixedSettings(config));
    const pages = [...homePages(db), ...browsePages({ db, blobs, images }), ...searchPages(db, kindsOf(modules))];
    return {
      site: {
        pages: [...pages.map(renderer.toRoute), assetRoute],
        errorPage: errorPage(renderer),
        languages,
      },
    };
  },
};
