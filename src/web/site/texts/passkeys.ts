import type { Translated } from "../language.ts";

const en = {
  or: "or",
  signIn: "Sign in with a passkey",
  /** For the script, in data-texts. */
  script: {
    refused: "This passkey was not accepted. Use another one, or your password.",
    limited: "Too many attempts. Wait a moment and try again.",
    failed: "This did not work. Try again, or use your password.",
    cancelled: "No passkey was chosen. Try again, or use your password.",
  },
};

const de: typeof en = {
  or: "oder",
  signIn: "Mit einem Passkey anmelden",
  script: {
    refused: "Dieser Passkey wurde nicht angenommen. Verwenden Sie einen anderen oder Ihr Passwort.",
    limited: "Zu viele Versuche. Warten Sie einen Moment, und versuchen Sie es noch einmal.",
    failed: "Das hat nicht funktioniert. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.",
    cancelled: "Es wurde kein Passkey gewählt. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.",
  },
};

export const passkeyTexts: Translated<typeof en> = { en, de };
