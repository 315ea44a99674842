/** @jsxImportSource hono/jsx */
import { passkeyOrigin } from "../../../core/passkeys/relying-party.ts";
import type { Visit } from "../page.ts";
import { passkeyTexts } from "../texts/passkeys.ts";

/** Asks for a passkey: instead of a password, or, with the ticket of one that was right, after it. It is shown by a script, where browser and address can do that. */
export function PasskeyPart({ visit, next, ticket }: { visit: Visit; next: string; ticket?: string }) {
  const origin = passkeyOrigin(visit.exchange.baseURL);
  if (origin === null) return null;
  const t = passkeyTexts[visit.language];
  return (
    <div
      class="passkeys"
      data-passkeys={origin}
      data-next={next}
      data-ticket={ticket}
      data-texts={JSON.stringify(t.script)}
      hidden
    >
      {ticket === undefined ? <p class="or">{t.or}</p> : null}
      <button class={ticket === undefined ? "button quiet" : "button"} type="button">
        {ticket === undefined ? t.signIn : t.confirm}
      </button>
      <p class="error" role="alert"></p>
      {ticket === undefined ? null : <p class="or">{t.or}</p>}
    </div>
  );
}
