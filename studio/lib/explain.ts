import { VitrineError } from "../../client/src/index.ts";
import { language, translate } from "./language.ts";

const t = translate({
  en: {
    network: "The server cannot be reached. Check the connection, then try again.",
    timeout: "The server did not respond in time. Try again.",
    signedOut: "You are signed out. Sign in again; what you typed is still here.",
    conflict: "Someone else changed this in the meantime. Reload it to see the changes.",
    full: "There is not enough space for this. Empty the trash or ask for more space.",
    busy: "Too many requests at once. Wait a moment, then try again.",
    occupied: "The server is busy. Wait a moment, then try again.",
    unknown: "Something went wrong. Try again. If it happens again, look at the server’s log.",
  },
  de: {
    network: "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.",
    timeout: "Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal.",
    signedOut: "Sie sind abgemeldet. Melden Sie sich neu an; was Sie geschrieben haben, ist noch da.",
    conflict: "Jemand anderes hat dies inzwischen geändert. Laden Sie es neu, um die Änderungen zu sehen.",
    full: "Dafür ist nicht genug Speicherplatz frei. Leeren Sie den Papierkorb, oder bitten Sie um mehr Platz.",
    busy: "Zu viele Anfragen auf einmal. Warten Sie einen Moment, und versuchen Sie es noch einmal.",
    occupied: "Der Server ist ausgelastet. Warten Sie einen Moment, und versuchen Sie es noch einmal.",
    unknown:
      "Etwas ist schiefgegangen. Versuchen Sie es noch einmal. Wenn es wieder geschieht, sehen Sie im Protokoll des Servers nach.",
  },
});

/** The server's messages about what was sent are in English. In German, there is a sentence for each code. */
const inGerman: Partial<Record<VitrineError["code"], string>> = {
  invalid: "Der Server hat die Eingabe nicht angenommen. Prüfen Sie sie, und versuchen Sie es noch einmal.",
  forbidden: "Das dürfen Sie nicht. Fragen Sie jemanden mit der Rolle Administrator.",
  factor_setup_required: "Richten Sie zuerst einen zweiten Faktor ein: Ihre Rolle braucht hier einen.",
  missing: "Das gibt es nicht mehr. Vielleicht wurde es inzwischen gelöscht.",
  conflict: "Das geht nicht: Etwas mit diesem Namen gibt es schon, oder es wurde inzwischen geändert.",
  oversized: "Das ist größer, als der Server annimmt.",
  unsupported: "Dieses Format wird nicht unterstützt.",
  damaged: "Die Datei kam beschädigt an. Versuchen Sie es noch einmal.",
};

/** What happened, and what to do, for a person. */
export function explain(error: unknown): string {
  if (!(error instanceof VitrineError)) return t.unknown;
  if (error.status === 0) return error.code === "timeout" ? t.timeout : t.network;
  if (error.status === 401) return t.signedOut;
  if (error.status === 412) return t.conflict;
  if (error.status === 429) return t.busy;
  // The status is another one on endpoints of the base API.
  if (error.code === "full" || error.code === "quota") return t.full;
  if (error.code === "busy") return t.occupied;
  if (error.status >= 500) return t.unknown;
  return language === "de" ? (inGerman[error.code] ?? t.unknown) : error.message;
}
