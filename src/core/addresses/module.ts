import { late } from "../../platform/once.ts";
import { type Module, reactionsOf } from "../../module.ts";
import type { TopicChosen } from "../account-mail/topics.ts";
import { createAccountMails } from "../account-mail/mails.ts";
import { createLinkRequests } from "./request-link.ts";
import { fixedSettings } from "../settings/store.ts";

const loadRoutes = late(() => Promise.all([import("./routes.ts"), import("./password-link-routes.ts")]));

/** Changing the mail address of an account, and forgotten passwords. */
export const addressesModule: Module = {
  open({ db, log, guesses, secret, config, modules }) {
    const topicChosen: TopicChosen = async (...chosen) => {
      for (const reactions of reactionsOf(modules)) await reactions.topicChosen?.(...chosen);
    };
    const mails = createAccountMails(config);
    const requests = createLinkRequests(db, { mails, guesses, secret, log });
    return {
      lateRoutes: {
        names: [
          "GET /api/v1/me/mail",
          "PUT /api/v1/me/mail/address",
          "PUT /api/v1/me/mail/notices",
          "POST /api/v1/address-confirmations",
          "POST /api/v1/password-links",
          "POST /api/v1/password-resets",
          "POST /api/v1/users/:id/password-link",
        ],
        async load() {
          const [{ addressRoutes }, { passwordLinkRoutes }] = await loadRoutes();
          return [
            ...addressRoutes(db, { mails, guesses, topicChosen }),
            ...passwordLinkRoutes(db, { mails, requests, baseURL: config.baseURL, fixed: fixedSettings(config) }),
          ];
        },
      },
      close: requests.close,
    };
  },
};
