import { type Module, reactionsOf } from "../../module.ts";
import type { TopicChosen } from "../account-mail/topics.ts";
import { createAccountMails } from "../account-mail/mails.ts";
import { passwordLinkRoutes } from "./password-link-routes.ts";
import { createLinkRequests } from "./request-link.ts";
import { fixedSettings } from "../settings/store.ts";
import { addressRoutes } from "./routes.ts";

/** Changing the mail address of an account, and forgotten passwords. */
export const addressesModule: Module = {
  open({ db, log, guesses, secret, config, modules }) {
    const topicChosen: TopicChosen = async (...chosen) => {
      for (const reactions of reactionsOf(modules)) await reactions.topicChosen?.(...chosen);
    };
    const mails = createAccountMails(config);
    const requests = createLinkRequests(db, { mails, guesses, secret, log });
    return {
      routes: [
        ...addressRoutes(db, { mails, guesses, topicChosen }),
        ...passwordLinkRoutes(db, { mails, requests, baseURL: config.baseURL, fixed: fixedSettings(config) }),
      ],
      close: requests.close,
    };
  },
};
