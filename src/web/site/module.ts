import { kindsOf, type Module, type Site } from "../../module.ts";
import { late, once } from "../../platform/once.ts";
import { startSender } from "../../features/newsletter/sender.ts";
import { findMoved } from "../../features/redirects/resolve.ts";
import { createAccountMails } from "../../core/account-mail/mails.ts";
import { createLinkRequests } from "../../core/addresses/request-link.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import { languages } from "./language.ts";
import { mediaOriginOf } from "./policy.ts";
import { createSamples, samplesNotice } from "./setup/samples/samples.ts";

const minute = 60_000;
const loadCompose = late(() => import("./post-mail/compose.ts"));
const loadSignIn = late(() => import("../../core/users/sign-in.ts"));
const loadSessions = late(() =>
  Promise.all([
    import("./accounts/session.ts"),
    import("./accounts/passkey-session.ts"),
    import("./setup/samples/remove-route.ts"),
    import("../../core/users/second-step.ts"),
    import("../../core/users/passkey-sign-in.ts"),
  ]),
);
const loadSitePages = late(() => import("./pages.ts"));

/** What a mail looks like is loaded with the first one. */
const startNewsletter = (site: Pick<Site, "db" | "log" | "metrics">, origin: string) => {
  const load = once(async () => (await loadCompose()).createComposer(site.db, origin));
  return startSender(site, async (postID) => (await load())(postID));
};

/** The public pages. They read what the API reads, with the same functions. */
export const siteModule: Module = {
  notices: { samples: samplesNotice },
  async open(site) {
    const { db, blobs, secret, guesses, modules, config } = site;
    const samples = createSamples(site);
    const mails = createAccountMails(config);
    const requests = createLinkRequests(db, { ...site, mails });
    const { dataDir, securityContact, redirectDownloads } = config;
    const mediaOrigin = mediaOriginOf(blobs, redirectDownloads);
    const fixed = fixedSettings(config);
    const mail = { mails, requests, secret, fixed };
    const pageDeps = { ...site, kinds: kindsOf(modules), fixed, mediaOrigin, dataDir, securityContact };
    const newsletter = config.mail && !site.isCopy ? await startNewsletter(site, config.baseURL) : null;
    const load = once(async () => {
      const [{ openPages }, { createSignIn }] = await Promise.all([loadSitePages(), loadSignIn()]);
      return openPages(pageDeps, samples, createSignIn(db, secret, guesses), mail);
    });
    return {
      lateRoutes: {
        names: [
          "POST /session",
          "DELETE /session",
          "POST /session/factor",
          "POST /session/passkey",
          "DELETE /api/v1/samples",
        ],
        async load() {
          const [{ createSignIn }, loaded] = await Promise.all([loadSignIn(), loadSessions()]);
          const [
            { sessionRoutes },
            { passkeySessionRoute },
            { samplesRoute },
            { createSecondStep },
            { createPasskeySignIn },
          ] = loaded;
          const signIn = createSignIn(db, secret, guesses);
          const secondStep = createSecondStep({ ...site, mails });
          return [
            ...sessionRoutes(db, signIn, secondStep, async (...refused) => (await load()).refuseSignIn(...refused)),
            passkeySessionRoute(createPasskeySignIn({ ...site, mails })),
            samplesRoute(samples),
          ];
        },
      },
      jobs: [{ name: "samples to create", everyMs: minute, run: samples.resume }],
      async close() {
        await Promise.all([requests.close(), samples.close(), newsletter?.close()]);
      },
      loadPages: async () => (await load()).routes,
      site: {
        errorPage: async (...failed) => (await load()).errorPage(...failed),
        findMoved: ({ target }) => findMoved(db, target),
        languages,
      },
    };
  },
};
