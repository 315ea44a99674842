/** @jsxImportSource hono/jsx */
import type { Settings } from "../../../core/settings/settings.ts";
import { trapField } from "../comments/forms.tsx";
import type { Visit } from "../page.ts";
import { newsletterTexts } from "../texts/newsletter.ts";

/** Whether visitors can subscribe here. */
export const canSubscribe = ({ settings, links, isCopy }: { settings: Settings } & Pick<Visit, "links" | "isCopy">) =>
  settings.newsletter && links.prefix === "" && !isCopy;

type Props = { visit: Visit; value?: string | undefined; error?: string | undefined };

/** It works without script. */
export function SubscribeForm({ visit: { language }, value, error }: Props) {
  const t = newsletterTexts[language];
  return (
    <form class="subscribe field" method="post" action="/newsletter">
      <label for="subscribe-email">{t.email}</label>
      <div class="subscribe-line">
        <input
          id="subscribe-email"
          name="email"
          type="email"
          autocomplete="email"
          inputmode="email"
          maxlength={254}
          required
          value={value}
          aria-describedby={error ? "subscribe-error subscribe-hint" : "subscribe-hint"}
          aria-invalid={error ? "true" : undefined}
        />
        <button class="button" type="submit">
          {t.subscribe}
        </button>
      </div>
      {error ? (
        <p class="error" id="subscribe-error">
          {error}
        </p>
      ) : null}
      <p class="hint" id="subscribe-hint">
        {t.hint}
      </p>
      <p class="trap" aria-hidden="true">
        <label for={`subscribe-${trapField}`}>{t.leaveEmpty}</label>
        <input id={`subscribe-${trapField}`} name={trapField} tabindex={-1} autocomplete="off" />
      </p>
    </form>
  );
}

/** At the end of a post. */
export function SubscribeSection({ visit }: { visit: Visit }) {
  if (!canSubscribe(visit)) return null;
  return (
    <aside class="column" aria-labelledby="subscribe-title">
      <div class="subscribe-box">
        <h2 id="subscribe-title">{newsletterTexts[visit.language].invite}</h2>
        <SubscribeForm visit={visit} />
      </div>
    </aside>
  );
}
