import type { Module } from "../../module.ts";
import { createAccountMails } from "../account-mail/mails.ts";
import { passwordLinkRoutes } from "./password-link-routes.ts";
import { removeOldLinks } from "./password-links.ts";
import { createLinkRequests } from "./request-link.ts";
import { addressRoutes } from "./routes.ts";

const hour = 3_600_000;

/** Mail addresses of accounts, and links for forgotten passwords. */
export const addressesModule: Module = {
  tables: [
    { name: "user_addresses", key: ["user_id"], json: ["notices"] },
    { name: "password_links", key: ["id"] },
  ],
  open({ db, log, guesses, secret, config }) {
    const mails = createAccountMails(config);
    const requests = createLinkRequests(db, { mails, guesses, secret, log });
    return {
      routes: [
        ...addressRoutes(db, mails, guesses),
        ...passwordLinkRoutes(db, { mails, requests, baseURL: config.baseURL }),
      ],
      jobs: [{ name: "password links", everyMs: hour, run: () => removeOldLinks(db) }],
      close: requests.close,
    };
  },
};
