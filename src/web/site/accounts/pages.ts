import { Problem } from "../../../platform/errors.ts";
import type { Database } from "../../../platform/database/database.ts";
import { sessionHeader } from "../../../platform/http/credentials.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import { needsStrongPassword } from "../../../core/users/new-password.ts";
import type { FixedSettings } from "../../../core/settings/store.ts";
import type { SignIn } from "../../../core/users/sign-in.ts";
import { findInvitedRole } from "../../../core/users/invitations.ts";
import { signUp } from "../../../core/users/sign-up.ts";
import { revokeSession } from "../../../core/users/sessions.ts";
import { hasWeakPassword } from "../../../core/users/store.ts";
import { page, type Page, redirect } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { type Invited, rightsOf, signInView, signUpView, uninvitedView, weakPasswordView } from "./forms.tsx";
import { findMistake, type Mistake, toMistake } from "./mistake.ts";
import { nextQuery, readNext, signUpQuery } from "./next.ts";
import { openSession } from "./session.ts";

/** Signing in, up and out, without a script. */
export function accountPages(db: Database, fixed: FixedSettings, signIn: SignIn): Page[] {
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
      query: signUpQuery,
      async handle({ query, ...visit }) {
        const next = readNext(query.next);
        if (visit.viewer) return redirect(next);
        const invited = await findInvited(query.invitation);
        return invited === null ? uninvitedView(visit, next) : signUpView(visit, { next, ...invited });
      },
    }),

    page({
      path: "/signup/form",
      method: "POST",
      async handle(visit) {
        const { language, settings, exchange } = visit;
        const t = accountTexts[language];
        const fields = await readPageForm(exchange);
        const next = readNext(fields.next);
        const sent = { username: (fields.username ?? "").trim(), password: fields.password ?? "" };
        const invited = await findInvited(fields.invitation);
        if (invited === null) return uninvitedView(visit, next);
        if (settings.signupRole === "closed" && !invited.invited)
          return signUpView(visit, { next, mistake: { text: t.closed, status: 403 } });
        const showAgain = (mistake: Mistake) =>
          signUpView(visit, { username: sent.username, next, mistake, ...invited });
        const role = rightsOf(settings.signupRole);
        const mistake = findMistake(sent, t, needsStrongPassword(invited.invited?.role ?? role, settings));
        if (mistake) return showAgain(mistake);
        try {
          const account = { ...sent, invitation: fields.invitation };
          const { warning } = await signUp({ db, transaction: db.transaction, fixed }, account, role);
          const { headers } = await openSession(signIn, exchange, sent);
          return redirect(warning === null ? next : `/signup/done?next=${encodeURIComponent(next)}`, 303, headers);
        } catch (error) {
          if (error instanceof Problem && error.field === "invitation") return uninvitedView(visit, next);
          return showAgain(toMistake(error, t));
        }
      },
    }),

    page({
      path: "/signup/done",
      query: nextQuery,
      async handle({ query, ...visit }) {
        const next = readNext(query.next);
        const isWeak = visit.viewer !== null && (await hasWeakPassword(db, visit.viewer.id));
        return isWeak ? weakPasswordView(visit, next) : redirect(next);
      },
    }),

    page({
      path: "/session/end",
      method: "POST",
      withoutFactor: true,
      async handle({ viewer, exchange }) {
        await readPageForm(exchange);
        if (viewer) await db.transaction((tx) => revokeSession(tx, viewer.tokenID));
        return redirect("/", 303, sessionHeader(exchange));
      },
    }),
  ];

  /** Null for an invitation that is not valid; an empty object without one. */
  async function findInvited(token: string | undefined): Promise<{ invited?: Invited } | null> {
    if (token === undefined) return {};
    const role = await findInvitedRole(db, token);
    return role && { invited: { token, role } };
  }
}
