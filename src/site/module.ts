import { kindsOf, type Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { createSignIn } from "../users/sign-in.ts";
import { accountPages } from "./accounts/pages.ts";
import { sessionRoutes } from "./accounts/session.ts";
import { albumPages } from "./albums/pages.ts";
import { blogPages } from "./blog/pages.tsx";
import { browsePages } from "./browse/pages.tsx";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { peoplePages } from "./people.tsx";
import { photoPages } from "./photos/pages.ts";
import { mediaOriginOf } from "./policy.ts";
import { samplesRoute } from "./setup/samples/remove-route.ts";
import { createSamples, samplesNotice } from "./setup/samples/samples.ts";
import { setupPages, withSetup } from "./setup/pages.tsx";
import { assetRoute, createRenderer } from "./render.ts";
import { searchPages } from "./search/pages.tsx";
import { sharePages } from "./shares/pages.tsx";
import { tagPages } from "./tags.tsx";
import { webRoutes } from "./web/web-routes.ts";

const minute = 60_000;

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  notices: { samples: samplesNotice },
  open(site) {
    const { db, blobs, images, trash, shareLinks, modules, config, secret, guesses } = site;
    const fixed = fixedSettings(config);
    const renderer = createRenderer(db, fixed, mediaOriginOf(site));
    const samples = createSamples(site);
    const signIn = createSignIn(db, secret, guesses);
    const files = { db, blobs, images };
    const pages = [
      ...homePages(db).map((front) => (front.path === "/" ? withSetup(db, samples, front) : front)),
      ...blogPages(db, trash),
      ...photoPages(db),
      ...albumPages(db),
      ...browsePages(files),
      ...tagPages(db),
      ...peoplePages(db),
      ...searchPages(db, kindsOf(modules)),
      ...sharePages(files, shareLinks),
      ...accountPages(db, signIn),
      ...setupPages({ db, fixed, signIn, samples, dataDir: config.dataDir }),
    ];
    return {
      routes: [...sessionRoutes(db, signIn, renderer), samplesRoute(samples)],
      jobs: [{ name: "samples to create", everyMs: minute, run: samples.resume }],
      close: samples.close,
      // The paths of the first are more specific than those of pages.
      pages: [...webRoutes(site, renderer), ...pages.map(renderer.toRoute), assetRoute],
      site: { errorPage: errorPage(renderer), languages },
    };
  },
};
