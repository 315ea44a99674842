import type { Translated } from "../language.ts";

const en = {
  or: "or",
  signIn: "Sign in with a passkey",
  confirm: "Use a passkey",
  /** For the script, in data-texts. */
  script: {
    refused: "This passkey was not accepted. Use another one, or sign in another way.",
    limited: "Too many attempts. Wait a moment and try again.",
    failed: "This did not work. Try again, or sign in another way.",
    cancelled: "No passkey was chosen. Try again, or sign in another way.",
  },
};

const de: typeof en = {
  or: "oder",
  signIn: "Mit einem Passkey anmelden",
  confirm: "Passkey verwenden",
  script: {
    refused: "Dieser Passkey wurde nicht angenommen. Verwenden Sie einen anderen, oder melden Sie sich anders an.",
    limited: "Zu viele Versuche. Warten Sie einen Moment, und versuchen Sie es noch einmal.",
    failed: "Das hat nicht funktioniert. Versuchen Sie es noch einmal, oder melden Sie sich anders an.",
    cancelled: "Es wurde kein Passkey gewählt. Versuchen Sie es noch einmal, oder melden Sie sich anders an.",
  },
};

export const passkeyTexts: Translated<typeof en> = { en, de };
