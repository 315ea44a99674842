/* Signs in with a passkey: by a button, or by what the browser offers in the field of the username. */

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from "@simplewebauthn/browser";

type Texts = Record<"refused" | "limited" | "failed" | "cancelled", string>;

/** Shorter than the life of a challenge. */
const renewalMs = 8 * 60_000;

class Refusal extends Error {
  constructor(readonly status: number) {
    super(`The server has refused it: ${status}.`);
  }
}

export function offerPasskeys(part: HTMLElement): void {
  const button = part.querySelector("button");
  const notice = part.querySelector("[role=alert]");
  const { next = "/", ticket, passkeys: origin } = part.dataset;
  if (!button || !notice || !browserSupportsWebAuthn() || !isHere(origin)) return;
  const texts = JSON.parse(part.dataset.texts ?? "{}") as Texts;
  part.hidden = false;
  button.addEventListener("click", () => {
    notice.textContent = "";
    button.disabled = true;
    signIn(false)
      .catch((error: unknown) => (notice.textContent = texts[describe(error)]))
      .finally(() => (button.disabled = false));
  });
  if (ticket === undefined) void offerInField();

  async function signIn(isInField: boolean): Promise<void> {
    const sent = ticket === undefined ? {} : { ticket };
    const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>("/api/v1/signin/passkey/options", sent);
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: isInField });
    await send("/session/passkey", { ...sent, response });
    location.assign(next);
  }

  /** The request waits until a person chooses a passkey in the field. The button, or a newer request, ends it. */
  async function offerInField(): Promise<void> {
    if (!(await browserSupportsWebAuthnAutofill())) return;
    const ask = () =>
      signIn(true).catch((error: unknown) => {
        if (error instanceof Refusal) notice?.replaceChildren(texts[describe(error)]);
      });
    void ask();
    setInterval(() => {
      if (!document.hidden && !button?.disabled) void ask();
    }, renewalMs);
  }
}

/** Without a configured address, passkeys work on the same machine alone. */
function isHere(origin: string | undefined): boolean {
  return origin === "local" ? /(^|\.)localhost$/.test(location.hostname) : origin === location.origin;
}

async function send<Result>(path: string, body: object): Promise<Result> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Refusal(response.status);
  return (await response.json()) as Result;
}

function describe(error: unknown): keyof Texts {
  if (error instanceof Refusal) return error.status === 401 ? "refused" : error.status === 429 ? "limited" : "failed";
  const cause = error instanceof WebAuthnError ? error.cause : error;
  return cause instanceof Error && /^(NotAllowed|Abort)Error$/.test(cause.name) ? "cancelled" : "failed";
}
