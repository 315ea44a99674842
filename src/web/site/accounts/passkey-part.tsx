/** @jsxImportSource hono/jsx */
import { passkeyOrigin } from "../../../core/passkeys/relying-party.ts";
import type { Visit } from "../page.ts";
import { passkeyTexts } from "../texts/passkeys.ts";

/** Asks for a passkey instead of a password. It is shown by a script, where browser and address can do that. */
export function PasskeyPart({ visit, next }: { visit: Visit; next: string }) {
  const origin = passkeyOrigin(visit.exchange.baseURL);
  if (origin === null) return null;
  const t = passkeyTexts[visit.language];
  return (
    <div class="passkeys" data-passkeys={origin} data-next={next} data-texts={JSON.stringify(t.script)} hidden>
      <p class="or">{t.or}</p>
      <button class="button quiet" type="button">
        {t.signIn}
      </button>
      <p class="error" role="alert"></p>
    </div>
  );
}
