import type { MailLanguage } from "../../core/mail/template.ts";

type Counts = Record<string, number>;

type Texts = {
  comments: (
    site: string,
    count: number,
  ) => { subject: string; intro: string; more: (rest: number) => string; button: string };
  comment: (author: string, title: string, isWaiting: boolean) => string;
  uploads: (site: string, count: number) => { subject: string; intro: string; button: string };
  digest: (site: string) => { subject: string; intro: string; button: string };
  /** A line for each number of `GET /api/v1/attention` that is not 0. */
  attention: (counts: Counts) => string[];
  untitled: string;
  why: string;
  stop: string;
};

const of = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

const en: Texts = {
  comments: (site, count) => ({
    subject: count === 1 ? `A new comment on ${site}` : `${count} new comments on ${site}`,
    intro: count === 1 ? "Somebody has commented on something of yours:" : "There are new comments on what is yours:",
    more: (rest) => `… and ${rest} more.`,
    button: "Open the comments",
  }),
  comment: (author, title, isWaiting) => `${author} on “${title}”${isWaiting ? " (waits for your approval)" : ""}:`,
  uploads: (site, count) => ({
    subject: count === 1 ? `A guest sent a picture on ${site}` : `Guests sent ${count} pictures on ${site}`,
    intro: `${of(count, "A picture waits", "pictures wait")} for your approval.`,
    button: "Open the share links",
  }),
  digest: (site) => ({
    subject: `What needs your attention on ${site}`,
    intro: "This week:",
    button: "Open the studio",
  }),
  attention: ({
    waitingComments = 0,
    waitingUploads = 0,
    unreadablePictures = 0,
    unfinishedImports = 0,
    backupError = 0,
    deletionsHeld = 0,
  }) => [
    ...(waitingComments ? [`${of(waitingComments, "A comment waits", "comments wait")} for approval.`] : []),
    ...(waitingUploads
      ? [`${of(waitingUploads, "A picture from a guest waits", "pictures from guests wait")} for approval.`]
      : []),
    ...(unreadablePictures ? [`${of(unreadablePictures, "A picture cannot", "pictures cannot")} be read.`] : []),
    ...(unfinishedImports ? [`${of(unfinishedImports, "An import is", "imports are")} unfinished.`] : []),
    ...(backupError ? ["The last backup has failed."] : []),
    ...(deletionsHeld ? ["Nothing is deleted at the moment, because the clock of the server may be wrong."] : []),
  ],
  untitled: "Untitled",
  why: "You have chosen this mail in your account.",
  stop: "Stop these mails",
};

const de: Texts = {
  comments: (site, count) => ({
    subject: count === 1 ? `Ein neuer Kommentar auf ${site}` : `${count} neue Kommentare auf ${site}`,
    intro:
      count === 1 ? "Jemand hat etwas von Ihnen kommentiert:" : "Es gibt neue Kommentare zu dem, was Ihnen gehört:",
    more: (rest) => `… und ${rest} weitere.`,
    button: "Kommentare öffnen",
  }),
  comment: (author, title, isWaiting) => `${author} zu „${title}“${isWaiting ? " (wartet auf Ihre Freigabe)" : ""}:`,
  uploads: (site, count) => ({
    subject:
      count === 1 ? `Ein Gast hat ein Bild geschickt: ${site}` : `Gäste haben ${count} Bilder geschickt: ${site}`,
    intro: `${of(count, "Ein Bild wartet", "Bilder warten")} auf Ihre Freigabe.`,
    button: "Freigaben öffnen",
  }),
  digest: (site) => ({
    subject: `Was auf ${site} Ihre Aufmerksamkeit braucht`,
    intro: "Diese Woche:",
    button: "Studio öffnen",
  }),
  attention: ({
    waitingComments = 0,
    waitingUploads = 0,
    unreadablePictures = 0,
    unfinishedImports = 0,
    backupError = 0,
    deletionsHeld = 0,
  }) => [
    ...(waitingComments ? [`${of(waitingComments, "Ein Kommentar wartet", "Kommentare warten")} auf Freigabe.`] : []),
    ...(waitingUploads
      ? [`${of(waitingUploads, "Ein Bild eines Gastes wartet", "Bilder von Gästen warten")} auf Freigabe.`]
      : []),
    ...(unreadablePictures ? [`${of(unreadablePictures, "Ein Bild lässt", "Bilder lassen")} sich nicht lesen.`] : []),
    ...(unfinishedImports ? [`${of(unfinishedImports, "Ein Import ist", "Importe sind")} nicht fertig.`] : []),
    ...(backupError ? ["Die letzte Sicherung ist fehlgeschlagen."] : []),
    ...(deletionsHeld ? ["Zurzeit wird nichts gelöscht, weil die Uhr des Servers falsch gehen könnte."] : []),
  ],
  untitled: "Ohne Titel",
  why: "Sie haben diese E-Mail in Ihrem Konto gewählt.",
  stop: "Diese E-Mails abbestellen",
};

export const noticeTexts: Record<MailLanguage, Texts> = { en, de };
