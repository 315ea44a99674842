import type { Failure } from "../../../platform/errors.ts";
import type { Translated } from "../language.ts";

const en = {
  back: "Go to the front page",
  moved: "This page has moved:",
  reference: "Request ID",
  missing: {
    title: "Page not found",
    text: "There is nothing at this address. It may have been moved or deleted, or the address may be mistyped.",
  },
  limited: {
    title: "Too many requests",
    text: "This address has sent many requests in a short time. Wait a few seconds and reload the page.",
  },
  failed: {
    title: "Something went wrong",
    text: "The server could not show this page. Try again in a moment. If it happens again, tell the owner of this site the request ID.",
  },
  factor: {
    title: "Set up a second factor",
    text: "Your account needs a second factor on this site, so that a stolen password is not enough. Until then, you can only set one up or sign out.",
  },
  setUpFactor: "Set it up",
  signOut: "Sign out",
  // In English, a refusal has the message of the API, which is more exact.
  forbidden: { title: "This is not allowed", text: "" },
  refused: { title: "This is not possible", text: "" },
};

const de: typeof en = {
  back: "Zur Startseite",
  moved: "Diese Seite ist umgezogen:",
  reference: "Anfrage-ID",
  missing: {
    title: "Seite nicht gefunden",
    text: "Unter dieser Adresse gibt es nichts. Vielleicht wurde die Seite verschoben oder gelöscht, oder die Adresse enthält einen Tippfehler.",
  },
  limited: {
    title: "Zu viele Anfragen",
    text: "Von dieser Adresse kamen in kurzer Zeit viele Anfragen. Warten Sie einige Sekunden und laden Sie die Seite neu.",
  },
  failed: {
    title: "Etwas ist schiefgegangen",
    text: "Der Server konnte diese Seite nicht anzeigen. Versuchen Sie es gleich noch einmal. Wenn es wieder passiert, nennen Sie dem Betreiber dieser Seite die Anfrage-ID.",
  },
  factor: {
    title: "Richten Sie einen zweiten Faktor ein",
    text: "Ihr Konto braucht auf dieser Seite einen zweiten Faktor, damit ein gestohlenes Passwort nicht genügt. Bis dahin können Sie nur einen einrichten oder sich abmelden.",
  },
  setUpFactor: "Einrichten",
  signOut: "Abmelden",
  forbidden: {
    title: "Das ist nicht erlaubt",
    text: "Ihrem Konto fehlt die Berechtigung dafür, oder die Anfrage kam von einer anderen Website. Öffnen Sie die Seite hier noch einmal, oder melden Sie sich mit einem anderen Konto an.",
  },
  refused: {
    title: "Das ist nicht möglich",
    text: "Der Server kann diese Anfrage so nicht ausführen. Prüfen Sie die Adresse und Ihre Angaben, und versuchen Sie es noch einmal.",
  },
};

export const errorTexts: Translated<typeof en> = { en, de };

type Kind = "missing" | "limited" | "failed" | "forbidden" | "factor" | "refused";

/** Which of these texts a failure has. */
export function textOf(code: Failure, status: number): Kind {
  if (code === "factor_setup_required") return "factor";
  if (code === "missing" || code === "disallowed") return "missing";
  if (code === "limited") return "limited";
  if (code === "forbidden") return "forbidden";
  return status >= 500 && code !== "unimplemented" ? "failed" : "refused";
}
