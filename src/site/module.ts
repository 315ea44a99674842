import { kindsOf, type Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { albumPages } from "./albums/pages.ts";
import { blogPages } from "./blog/pages.tsx";
import { browsePages } from "./browse/pages.tsx";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { peoplePages } from "./people.tsx";
import { photoPages } from "./photos/pages.ts";
import { assetRoute, createRenderer } from "./render.ts";
import { searchPages } from "./search/pages.tsx";
import { sharePages } from "./shares/pages.tsx";
import { tagPages } from "./tags.tsx";
import { webRoutes } from "./web/web-routes.ts";

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  open(site) {
    const { db, blobs, images, trash, shareLinks, modules, config } = site;
    const renderer = createRenderer(db, fixedSettings(config));
    const files = { db, blobs, images };
    const pages = [
      ...homePages(db),
      ...blogPages(db, trash),
      ...photoPages(db),
      ...albumPages(db),
      ...browsePages(files),
      ...tagPages(db),
      ...peoplePages(db),
      ...searchPages(db, kindsOf(modules)),
      ...sharePages(files, shareLinks),
    ];
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
