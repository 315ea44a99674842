import { z } from "zod";
import { acceptConfirmation } from "../../../core/addresses/confirm.ts";
import type { AccountMails } from "../../../core/account-mail/mails.ts";
import { findLinkUser, usePasswordLink } from "../../../core/addresses/password-links.ts";
import type { LinkRequests } from "../../../core/addresses/request-link.ts";
import { findPending } from "../../../core/account-mail/store.ts";
import type { FixedSettings } from "../../../core/settings/store.ts";
import { needsStrongPassword } from "../../../core/users/new-password.ts";
import { readStopToken, stopNotices } from "../../../features/notices/stop.ts";
import type { Database } from "../../../platform/database/database.ts";
import { missing, Problem } from "../../../platform/errors.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import { page, type Page } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { findPasswordMistake, toMistake } from "./mistake.ts";
import {
  confirmedView,
  confirmView,
  deadView,
  forgotView,
  newPasswordView,
  savedView,
  sentView,
  stoppedView,
  stopView,
} from "./mail-views.tsx";

const tokenQuery = z.object({ token: z.string().optional() });

export type MailPageUses = { mails: AccountMails; requests: LinkRequests; secret: string; fixed: FixedSettings };

/** What links in mails lead to, and the form for a forgotten password. All of it works without a script. */
export function mailPages(db: Database, { mails, requests, secret, fixed }: MailPageUses): Page[] {
  return [
    page({
      path: "/password",
      async handle(visit) {
        if (!visit.sendsMail) throw missing("such page");
        return forgotView(visit);
      },
    }),

    page({
      path: "/password",
      method: "POST",
      async handle(visit) {
        const { who = "" } = await readPageForm(visit.exchange);
        if (!visit.sendsMail) throw missing("such page");
        if (who.trim() === "" || who.length > 256) return forgotView(visit);
        try {
          await requests.request(who.trim(), visit.exchange.address);
        } catch (error) {
          return forgotView(visit, who, toMistake(error, accountTexts[visit.language]));
        }
        return sentView(visit);
      },
    }),

    page({
      path: "/password/new",
      query: tokenQuery,
      async handle({ query: { token = "" }, ...visit }) {
        const user = await findLinkUser(db, token);
        return user ? newPasswordView(visit, user, token) : deadView(visit, true);
      },
    }),

    page({
      path: "/password/new",
      method: "POST",
      async handle(visit) {
        const t = accountTexts[visit.language];
        const { token = "", password = "" } = await readPageForm(visit.exchange);
        const user = await findLinkUser(db, token);
        if (!user) return deadView(visit, true);
        const showAgain = (text: string) =>
          newPasswordView(visit, user, token, { field: "password", text, status: 400 });
        const mistake = findPasswordMistake(password, t, needsStrongPassword(user.role, visit.settings));
        if (mistake !== null) return showAgain(mistake);
        try {
          const warning = await usePasswordLink({ db, fixed }, token, password, (tx, { id, username }) =>
            mails.tell(tx, id, { name: "passwordChanged", words: [username] }),
          );
          return savedView(visit, warning !== null);
        } catch (error) {
          if (!(error instanceof Problem) || error.code === "busy" || error.code === "full") throw error;
          return error.field === "token" ? deadView(visit, true) : showAgain(t.easyPassword);
        }
      },
    }),

    page({
      path: "/account/address",
      query: tokenQuery,
      async handle({ query: { token = "" }, ...visit }) {
        const address = await findPending(db, token);
        return address === null ? deadView(visit, false) : confirmView(visit, address, token);
      },
    }),

    page({
      path: "/account/address",
      method: "POST",
      async handle(visit) {
        await readPageForm(visit.exchange);
        const isConfirmed = await acceptConfirmation(db, mails, tokenOf(visit.search));
        return isConfirmed ? confirmedView(visit) : deadView(visit, false);
      },
    }),

    page({
      path: "/notices/off",
      query: tokenQuery,
      async handle({ query: { token = "" }, ...visit }) {
        const stop = readStopToken(secret, token);
        return stop ? stopView(visit, stop.topic, token) : deadView(visit, false);
      },
    }),

    // Mail programs send this automatically (RFC 8058), without a session and not from a page.
    page({
      path: "/notices/off",
      method: "POST",
      async handle(visit) {
        const stop = readStopToken(secret, tokenOf(visit.search));
        if (!stop) return deadView(visit, false);
        await stopNotices(db, stop);
        return stoppedView(visit);
      },
    }),
  ];
}

const tokenOf = (search: string): string => new URLSearchParams(search).get("token") ?? "";
