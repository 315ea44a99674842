/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { needsStrongPassword } from "../../../core/users/new-password.ts";
import type { User } from "../../../core/users/user.ts";
import { Field, newPasswordField, usernameInput } from "../field.tsx";
import type { View, Visit } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { mailTexts } from "../texts/mail.ts";
import { ErrorNotice, outcomeOf } from "./forms.tsx";
import type { Mistake } from "./mistake.ts";

const view = (title: string, children: Child, mistake?: Mistake): View => ({
  title,
  body: (
    <div class="account">
      <h1>{title}</h1>
      {children}
    </div>
  ),
  canonical: null,
  isForm: true,
  ...outcomeOf(mistake),
});

/** The page on which one asks for a link. */
export function forgotView({ language }: Visit, who = "", mistake?: Mistake): View {
  const t = mailTexts[language];
  const form = (
    <>
      <p class="quiet">{t.forgotHint}</p>
      <ErrorNotice mistake={mistake} />
      <form method="post" action="/password" class="stack">
        <Field name="who" label={t.who} value={who} input={{ ...usernameInput, maxlength: 256, autofocus: true }} />
        <button class="button" type="submit">
          {t.send}
        </button>
      </form>
      <p class="quiet">
        <a href="/signin">{t.back}</a>
      </p>
    </>
  );
  return view(t.forgotTitle, form, mistake);
}

export function sentView({ language }: Visit): View {
  const t = mailTexts[language];
  const text = (
    <>
      <p>{t.sent}</p>
      <p class="quiet">{t.noLink}</p>
      <p class="quiet">
        <a href="/signin">{t.back}</a>
      </p>
    </>
  );
  return view(t.sentTitle, text);
}

/** The page on which a password is set. */
export function newPasswordView(visit: Visit, { username, role }: User, token: string, mistake?: Mistake): View {
  const { language, settings } = visit;
  const t = mailTexts[language];
  const { hint, input } = newPasswordField(needsStrongPassword(role, settings), accountTexts[language]);
  const error = mistake?.field === "password" ? mistake.text : undefined;
  const form = (
    <>
      <p class="quiet">{t.newFor(username)}</p>
      <ErrorNotice mistake={mistake} />
      <form method="post" action="/password/new" class="stack">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="username" value={username} autocomplete="username" />
        <Field name="password" label={t.newPassword} hint={hint} error={error} input={{ ...input, autofocus: true }} />
        <button class="button" type="submit">
          {t.save}
        </button>
      </form>
    </>
  );
  return view(t.newTitle, form, mistake);
}

type Said = { title: string; text: string; link: { href: string; text: string } };

const saidView = ({ title, text, link }: Said, status = 200): View =>
  view(
    title,
    <>
      <p>{text}</p>
      <p class="quiet">
        <a href={link.href}>{link.text}</a>
      </p>
    </>,
    { text, status },
  );

/** `isWeak`: the password is easy to guess. */
export function savedView({ language }: Visit, isWeak: boolean): View {
  const t = mailTexts[language];
  return saidView({
    title: t.savedTitle,
    text: isWeak ? `${t.saved} ${accountTexts[language].weakPassword}` : t.saved,
    link: { href: "/signin", text: accountTexts[language].signIn },
  });
}

/** For links that are no longer valid. */
export function deadView({ language, sendsMail }: Visit, isPassword: boolean): View {
  const t = mailTexts[language];
  const link = isPassword && sendsMail ? { href: "/password", text: t.again } : { href: "/", text: t.home };
  return saidView({ title: t.deadTitle, text: t.dead, link }, 410);
}

/** A page with one button: programs that look into mails follow links, and must change nothing by that. */
function buttonView(title: string, text: string, { action, label }: { action: string; label: string }): View {
  const form = (
    <>
      <p>{text}</p>
      <form method="post" action={action} class="stack">
        <button class="button" type="submit">
          {label}
        </button>
      </form>
    </>
  );
  return view(title, form);
}

export function confirmView({ language }: Visit, address: string, token: string): View {
  const t = mailTexts[language];
  return buttonView(t.confirmTitle, t.confirmHint(address), {
    action: `/account/address?token=${encodeURIComponent(token)}`,
    label: t.confirm,
  });
}

export function confirmedView({ language }: Visit): View {
  const t = mailTexts[language];
  return saidView({ title: t.confirmedTitle, text: t.confirmed, link: { href: "/", text: t.home } });
}

export function stopView({ language }: Visit, topic: keyof (typeof mailTexts)["en"]["off"], token: string): View {
  const t = mailTexts[language];
  return buttonView(t.offTitle, t.off[topic], {
    action: `/notices/off?token=${encodeURIComponent(token)}`,
    label: t.stop,
  });
}

export function stoppedView({ language }: Visit): View {
  const t = mailTexts[language];
  return saidView({ title: t.stoppedTitle, text: t.stopped, link: { href: "/", text: t.home } });
}
