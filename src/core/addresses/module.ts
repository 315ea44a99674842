import type { Module } from "../../module.ts";
import { createAccountMails } from "../account-mail/mails.ts";
import { passwordLinkRoutes } from "./password-link-routes.ts";
import { createLinkRequests } from "./request-link.ts";
import { fixedSettings } from "../settings/store.ts";
import { addressRoutes } from "./routes.ts";

/** Changing the mail address of an account, and forgotten passwords. */
export const addressesModule: Module = {
  open({ db, log, guesses, secret, config }) {
    const mails = createAccountMails(config);
    const requests = createLinkRequests(db, { mails, guesses, secret, log });
    return {
      routes: [
        ...addressRoutes(db, mails, guesses),
        ...passwordLinkRoutes(db, { mails, requests, baseURL: config.baseURL, fixed: fixedSettings(config) }),
      ],
      close: requests.close,
    };
  },
};
