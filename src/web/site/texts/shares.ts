import type { Translated } from "../language.ts";

const en = {
  locked: "This link has a password",
  lockedText: "Whoever sent you the link can tell you the password.",
  password: "Password",
  unlock: "Open",
  wrong: "This password is wrong.",
  tooMany: (seconds: number) => `There were too many wrong passwords. Try again in ${seconds} seconds.`,
  add: "Add pictures",
  addTo: (title: string) => `Add pictures to “${title}”`,
  addText: "Send a picture or a video. The owner looks at it first: it appears here once it is approved.",
  file: "Picture or video, up to 256 MiB",
  guestName: "Your name (optional)",
  send: "Send",
  sent: "Thank you. The picture was sent and waits for approval. You can send another one.",
  notSent: "The picture was not sent.",
  back: "Back",
  empty: "There is nothing here yet.",
  downloadAll: "Download all",
  path: "You are here",
  pages: "Pages",
};

const de: typeof en = {
  locked: "Dieser Link hat ein Passwort",
  lockedText: "Wer Ihnen den Link geschickt hat, kann Ihnen das Passwort nennen.",
  password: "Passwort",
  unlock: "Öffnen",
  wrong: "Dieses Passwort ist falsch.",
  tooMany: (seconds) => `Es gab zu viele falsche Passwörter. Versuchen Sie es in ${seconds} Sekunden noch einmal.`,
  add: "Bilder hinzufügen",
  addTo: (title) => `Bilder zu „${title}“ hinzufügen`,
  addText:
    "Senden Sie ein Bild oder ein Video. Der Besitzer sieht es zuerst: Es erscheint hier, sobald es freigegeben ist.",
  file: "Bild oder Video, bis 256 MiB",
  guestName: "Ihr Name (freiwillig)",
  send: "Senden",
  sent: "Danke. Das Bild wurde gesendet und wartet auf Freigabe. Sie können ein weiteres senden.",
  notSent: "Das Bild wurde nicht gesendet.",
  back: "Zurück",
  empty: "Hier gibt es noch nichts.",
  downloadAll: "Alles herunterladen",
  path: "Sie sind hier",
  pages: "Seiten",
};

export const shareTexts: Translated<typeof en> = { en, de };
