import type { Module } from "../module.ts";
import { fixedSettings } from "../settings/store.ts";
import { createSignIn } from "../users/sign-in.ts";
import { accountPages } from "./accounts/pages.ts";
import { sessionRoutes } from "./accounts/session.ts";
import { errorPage } from "./error-page.tsx";
import { homePages } from "./home.tsx";
import { languages } from "./language.ts";
import { assetRoute, createRenderer } from "./render.ts";

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  open({ db, config, secret, guesses }) {
    const renderer = createRenderer(db, fixedSettings(config));
    const signIn = createSignIn(db, secret, guesses);
    const pages = [...homePages(db), ...accountPages(db, signIn)];
    return {
      routes: sessionRoutes(db, signIn, renderer),
      site: {
        pages: [...pages.map(renderer.toRoute), assetRoute],
        errorPage: errorPage(renderer),
        languages,
      },
    };
  },
};
