/** @jsxImportSource hono/jsx */
import { Field } from "../field.tsx";
import type { View, Visit } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { ErrorNotice, outcomeOf } from "./forms.tsx";
import type { Mistake } from "./mistake.ts";
import { PasskeyPart } from "./passkey-part.tsx";

/** `factors` are the ways in which the step can be taken. */
export type Waiting = { ticket: string; factors: string[]; next: string; mistake?: Mistake | undefined };

/** The page after the right password, for a person who has a second factor. */
export function secondStepView(visit: Visit, { ticket, factors, next, mistake }: Waiting): View {
  const t = accountTexts[visit.language];
  const [hasApp, hasPasskey] = [factors.includes("totp"), factors.includes("passkey")];
  const body = (
    <div class="account">
      <h1>{t.secondStep}</h1>
      <ErrorNotice mistake={mistake} />
      {hasPasskey ? <PasskeyPart visit={visit} next={next} ticket={ticket} /> : null}
      <p class="quiet">{hasApp ? t.appCode : t.recoveryCode}</p>
      <form method="post" action="/session/factor" class="stack">
        <input type="hidden" name="ticket" value={ticket} />
        <input type="hidden" name="factors" value={factors.join(" ")} />
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={t.code}
          hint={hasApp && factors.includes("recovery_code") ? t.codeHint : undefined}
          input={{
            autocomplete: "one-time-code",
            autocapitalize: "none",
            spellcheck: "false",
            maxlength: 64,
            autofocus: !hasPasskey,
          }}
        />
        <button class={hasPasskey ? "button quiet" : "button"} type="submit">
          {t.signIn}
        </button>
      </form>
      <p class="quiet">
        <a href={`/signin?next=${encodeURIComponent(next)}`}>{t.startAgain}</a>
      </p>
    </div>
  );
  return { title: t.secondStep, body, canonical: null, isForm: true, ...outcomeOf(mistake) };
}
