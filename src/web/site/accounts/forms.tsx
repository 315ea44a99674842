/** @jsxImportSource hono/jsx */
import type { SignupRole } from "../../../core/settings/settings.ts";
import type { Role } from "../../../platform/http/route.ts";
import { needsStrongPassword } from "../../../core/users/new-password.ts";
import { Field, newPasswordField, passwordInput, usernameInput } from "../field.tsx";
import type { View, Visit } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { mailTexts } from "../texts/mail.ts";
import type { Mistake } from "./mistake.ts";
import { PasskeyPart } from "./passkey-part.tsx";

type FormState = { username?: string | undefined; next: string; mistake?: Mistake };

/** The page on which one signs in. */
export function signInView(visit: Visit, { username, next, mistake }: FormState): View {
  const { language, settings, sendsMail } = visit;
  const t = accountTexts[language];
  const body = (
    <div class="account">
      <h1>{t.signIn}</h1>
      <ErrorNotice mistake={mistake} />
      <form method="post" action="/session" class="stack">
        <input type="hidden" name="next" value={next} />
        <Field
          name="username"
          label={t.username}
          value={username}
          input={{
            ...usernameInput,
            autocomplete: "username webauthn",
            maxlength: 256,
            ...(username ? {} : { autofocus: true }),
          }}
        />
        <Field name="password" label={t.password} input={{ ...passwordInput, ...(username && { autofocus: true }) }} />
        <button class="button" type="submit">
          {t.signIn}
        </button>
      </form>
      <PasskeyPart visit={visit} next={next} />
      {sendsMail ? (
        <p class="quiet">
          <a href="/password">{mailTexts[language].forgot}</a>
        </p>
      ) : null}
      {settings.signupRole === "closed" ? null : (
        <p class="quiet">
          {t.noAccount} <a href={`/signup${asQuery(next)}`}>{t.signUpButton}</a>
        </p>
      )}
    </div>
  );
  return { title: t.signIn, body, canonical: null, isForm: true, ...outcomeOf(mistake) };
}

/** `role` is that of the account. */
export type Invited = { token: string; role: Role };

/** The page to create an account, or the sentence that sign-up is closed. */
export function signUpView(
  visit: Visit,
  { username, next, mistake, invited }: FormState & { invited?: Invited },
): View {
  const { language, settings } = visit;
  const t = accountTexts[language];
  if (settings.signupRole === "closed" && !invited) {
    return refusedView(visit, { title: t.closedTitle, text: t.closed, next, mistake });
  }
  const role = invited?.role ?? rightsOf(settings.signupRole);
  const errorOf = (name: string) => (mistake?.field === name ? mistake.text : undefined);
  const body = (
    <div class="account">
      <h1>{t.signUp}</h1>
      <p class="quiet">
        {invited ? `${t.invited} ` : ""}
        {{ reader: t.readers, author: t.authors, admin: t.admins }[role]}
      </p>
      <ErrorNotice mistake={mistake} />
      <form method="post" action="/signup/form" class="stack">
        <input type="hidden" name="next" value={next} />
        {invited ? <input type="hidden" name="invitation" value={invited.token} /> : null}
        <Field
          name="username"
          label={t.username}
          value={username}
          hint={t.usernameHint}
          error={errorOf("username")}
          input={{ ...usernameInput, autofocus: true }}
        />
        <Field
          name="password"
          label={t.password}
          error={errorOf("password")}
          {...newPasswordField(needsStrongPassword(role, settings), t)}
        />
        <button class="button" type="submit">
          {t.signUpButton}
        </button>
      </form>
      <p class="quiet">
        {t.hasAccount} <a href={`/signin${asQuery(next)}`}>{t.signIn}</a>
      </p>
    </div>
  );
  return { title: t.signUp, body, canonical: null, isForm: true, ...outcomeOf(mistake) };
}

/** For a person who has signed up with a weak password. */
export function weakPasswordView({ language }: Visit, next: string): View {
  const t = accountTexts[language];
  const body = (
    <div class="account">
      <h1>{t.signedUp}</h1>
      <p class="notice" role="status">
        {t.weakPassword}
      </p>
      <p>
        <a href="/studio/account">{t.changePassword}</a>
      </p>
      <p class="quiet">
        <a href={next}>{t.later}</a>
      </p>
    </div>
  );
  return { title: t.signedUp, body, canonical: null, isForm: true };
}

/** The page for an invitation that cannot be used. */
export function uninvitedView(visit: Visit, next: string): View {
  const t = accountTexts[visit.language];
  const mistake = { text: t.uninvited, status: 410 };
  return refusedView(visit, { title: t.uninvitedTitle, text: t.uninvited, next, mistake });
}

type Refusal = { title: string; text: string; next: string; mistake: Mistake | undefined };

function refusedView({ language }: Visit, { title, text, next, mistake }: Refusal): View {
  const t = accountTexts[language];
  const body = (
    <div class="account">
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="quiet">
        {t.hasAccount} <a href={`/signin${asQuery(next)}`}>{t.signIn}</a>
      </p>
    </div>
  );
  return { title, body, canonical: null, isForm: true, ...outcomeOf(mistake) };
}

/** The status and headers of a form that is shown for the first time, or again. */
export const outcomeOf = (mistake: Mistake | undefined) => ({
  status: mistake?.status ?? 200,
  headers: mistake?.headers,
});

export const rightsOf = (role: SignupRole) => (role === "reader" ? "reader" : "author");

const asQuery = (next: string) => (next === "/" ? "" : `?next=${encodeURIComponent(next)}`);

/** What is wrong with the whole form. What is wrong with one field is shown at the field. */
export function ErrorNotice({ mistake }: { mistake: Mistake | undefined }) {
  return mistake && mistake.field === undefined ? (
    <p class="notice error" role="alert">
      {mistake.text}
    </p>
  ) : null;
}
