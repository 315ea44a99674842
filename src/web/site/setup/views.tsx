/** @jsxImportSource hono/jsx */
import { ErrorNotice, outcomeOf } from "../accounts/forms.tsx";
import type { Mistake } from "../accounts/mistake.ts";
import { Field, newPasswordField, usernameInput } from "../field.tsx";
import type { View, Visit } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { setupTexts } from "../texts/setup.ts";
import type { Visibility } from "../../../core/records/visibility.ts";

/** For everybody who comes before the site is set up. */
export function waitingView({ language }: Visit): View {
  const t = setupTexts[language];
  const body = (
    <div class="notice-page">
      <h1>{t.waitingTitle}</h1>
      <p class="lead">{t.waiting}</p>
      <p class="quiet">{t.waitingOwner}</p>
    </div>
  );
  return { title: t.waitingTitle, body, canonical: null };
}

/** For a key that is wrong or has been used. */
export function usedView({ language }: Visit): View {
  const t = setupTexts[language];
  const body = (
    <div class="notice-page">
      <p class="eyebrow">410</p>
      <h1>{t.usedTitle}</h1>
      <p>{t.used}</p>
    </div>
  );
  return { title: t.usedTitle, body, canonical: null, status: 410 };
}

export type SetupForm = {
  key: string;
  siteName: string;
  username: string;
  signupRole: "closed" | "reader" | "author";
  defaultVisibility: Visibility;
  content: "empty" | "samples";
};

/** `isRoleFixed`: the environment decides who may sign up. */
export function setupView(
  { language }: Visit,
  form: SetupForm,
  { isRoleFixed, mistake }: { isRoleFixed: boolean; mistake?: Mistake },
): View {
  const t = setupTexts[language];
  const errorOf = (name: string) => (mistake?.field === name ? mistake.text : undefined);
  const body = (
    <div class="account setup">
      <h1>{t.title}</h1>
      <p class="lead">{t.lead}</p>
      <ErrorNotice mistake={mistake} />
      <form method="post" action="/setup" class="stack">
        <input type="hidden" name="key" value={form.key} />
        <Field
          name="siteName"
          label={t.siteName}
          value={form.siteName}
          error={errorOf("siteName")}
          input={{ maxlength: 100, autocomplete: "off", dir: "auto", autofocus: true }}
        />
        <Field
          name="username"
          label={t.username}
          value={form.username}
          hint={t.usernameHint}
          error={errorOf("username")}
          input={usernameInput}
        />
        <Field
          name="password"
          label={t.password}
          error={errorOf("password")}
          {...newPasswordField(true, accountTexts[language])}
        />
        {isRoleFixed ? (
          <p class="quiet">{t.signupFixed}</p>
        ) : (
          <Choice
            name="signupRole"
            label={t.signup}
            chosen={form.signupRole}
            options={[
              ["closed", t.closed, t.closedHint],
              ["reader", t.reader, t.readerHint],
              ["author", t.author, t.authorHint],
            ]}
          />
        )}
        <Choice
          name="defaultVisibility"
          label={t.visibility}
          chosen={form.defaultVisibility}
          options={[
            ["private", t.private, t.privateHint],
            ["public", t.public, t.publicHint],
          ]}
          hint={t.visibilityHint}
        />
        <Choice
          name="content"
          label={t.content}
          chosen={form.content}
          options={[
            ["samples", t.samples, t.samplesHint],
            ["empty", t.empty],
          ]}
        />
        <button class="button" type="submit">
          {t.submit}
        </button>
      </form>
    </div>
  );
  return { title: t.title, body, canonical: null, isForm: true, ...outcomeOf(mistake) };
}

type ChoiceProps = {
  name: string;
  label: string;
  chosen: string;
  options: [value: string, label: string, hint?: string][];
  /** About all of them. */
  hint?: string;
};

function Choice({ name, label, chosen, options, hint: about }: ChoiceProps) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map(([value, text, hint]) => (
        <label>
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span>
            {text}
            {hint ? <small>{hint}</small> : null}
          </span>
        </label>
      ))}
      {about ? <small>{about}</small> : null}
    </fieldset>
  );
}

/** For admins, above the front page. */
export function SamplesNotice({ language, isDone }: Pick<Visit, "language"> & { isDone: boolean }) {
  const t = setupTexts[language];
  return (
    <div class="wide">
      <div class="notice samples" role="status">
        <p>{isDone ? t.hasSamples : t.creating}</p>
        {isDone ? (
          <form method="post" action="/setup/samples/remove">
            <button class="button quiet small" type="submit">
              {t.remove}
            </button>
          </form>
        ) : null}
      </div>
    </div>
  );
}
