import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { AddedPasskey } from "../../client/src/index.ts";
import { VitrineError } from "../../client/src/index.ts";
import { api, isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { passkeyTexts as t } from "./texts.ts";

/** Browsers have passkeys over HTTPS and on the same machine alone. */
export const canMakePasskeys = (): boolean => globalThis.isSecureContext && "PublicKeyCredential" in globalThis;

/** Why no passkey was made, as a sentence. */
class NotMade extends Error {}

/** The browser asks the person. Throws if the person says no. */
export async function makePasskey(): Promise<AddedPasskey> {
  const optionsJSON = await api.preparePasskey({}).catch((error: unknown) => {
    throw isStatus(error, 409) ? new NotMade(t.elsewhere) : error;
  });
  const { startRegistration } = await import("@simplewebauthn/browser");
  const made = await startRegistration({
    optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON,
  }).catch((error: unknown) => {
    throw new NotMade(explainBrowser(error));
  });
  return api.addPasskey({ response: made }).catch((error: unknown) => {
    throw isStatus(error, 409) ? new NotMade(t.tooMany) : error;
  });
}

function explainBrowser(error: unknown): string {
  const names = error instanceof Error ? [error.name, error.cause instanceof Error ? error.cause.name : ""] : [];
  if (names.includes("InvalidStateError")) return t.known;
  if (names.includes("SecurityError")) return t.elsewhere;
  return names.includes("NotAllowedError") || names.includes("AbortError") ? t.cancelled : t.failed;
}

export const explainNotMade = (error: unknown): string => (error instanceof NotMade ? error.message : explain(error));

/** Whether the person has to give the password again, because the sign-in was long ago. */
export const needsConfirmation = (error: unknown): boolean =>
  error instanceof VitrineError && error.status === 401 && error.field === "password";
