import type { Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { createSignIn } from "../users/sign-in.ts";
import { accountPages } from "./accounts/pages.ts";
import { sessionRoutes } from "./accounts/session.ts";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { samplesRoute } from "./setup/samples/remove-route.ts";
import { createSamples } from "./setup/samples/samples.ts";
import { setupPages, withSetup } from "./setup/pages.tsx";
import { assetRoute, createRenderer } from "./render.ts";

const minute = 60_000;

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  open({ db, config, secret, guesses, ...site }) {
    const fixed = fixedSettings(config);
    const renderer = createRenderer(db, fixed);
    const samples = createSamples({ db, ...site });
    const signIn = createSignIn(db, secret, guesses);
    const pages = [
      ...homePages(db).map((front) => (front.path === "/" ? withSetup(db, samples, front) : front)),
      ...accountPages(db, signIn),
      ...setupPages({ db, fixed, signIn, samples, dataDir: config.dataDir }),
    ];
    return {
      routes: [...sessionRoutes(db, signIn, renderer), samplesRoute(samples)],
      jobs: [{ name: "samples to create", everyMs: minute, run: samples.resume }],
      close: samples.close,
      site: {
        pages: [...pages.map(renderer.toRoute), assetRoute],
        errorPage: errorPage(renderer),
        languages,
      },
    };
  },
};
