import type { Database } from "../../platform/database/database.ts";
import { sessionHeader } from "../../platform/http/credentials.ts";
import { readForm } from "../../platform/http/form.ts";
import type { SignIn } from "../../users/sign-in.ts";
import { signUp } from "../../users/sign-up.ts";
import { endSession } from "../../users/sessions.ts";
import { page, type Page, redirect } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { rightsOf, signInView, signUpView } from "./forms.tsx";
import { findMistake, toMistake } from "./mistake.ts";
import { nextQuery, readNext } from "./next.ts";
import { openSession } from "./session.ts";

/** Signing in, up and out, without a script. */
export function accountPages(db: Database, signIn: SignIn): Page[] {
  return [
    page({
      path: "/signin",
      query: nextQuery,
      async handle({ query, ...visit }) {
        const next = readNext(query.next);
        return visit.viewer ? redirect(next) : signInView(visit, { next });
      },
    }),

    page({
      path: "/signup",
      query: nextQuery,
      async handle({ query, ...visit }) {
        const next = readNext(query.next);
        return visit.viewer ? redirect(next) : signUpView(visit, { next });
      },
    }),

    page({
      path: "/signup/form",
      method: "POST",
      async handle(visit) {
        const { language, settings, exchange } = visit;
        const t = accountTexts[language];
        const fields = await readForm(exchange);
        const next = readNext(fields.next);
        const sent = { username: (fields.username ?? "").trim(), password: fields.password ?? "" };
        if (settings.signupRole === "closed")
          return signUpView(visit, { next, mistake: { text: t.closed, status: 403 } });
        const mistake = findMistake(sent, t);
        if (mistake) return signUpView(visit, { username: sent.username, next, mistake });
        try {
          await signUp(db, sent, rightsOf(settings.signupRole));
          const { headers } = await openSession(signIn, exchange, sent);
          return redirect(next, 303, headers);
        } catch (error) {
          return signUpView(visit, { username: sent.username, next, mistake: toMistake(error, t) });
        }
      },
    }),

    page({
      path: "/session/end",
      method: "POST",
      async handle({ viewer, exchange }) {
        await readForm(exchange);
        if (viewer) await endSession(db, viewer.tokenID);
        return redirect("/", 303, sessionHeader(exchange));
      },
    }),
  ];
}
