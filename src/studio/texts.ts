import type { Translated } from "../site/language.ts";

const en = {
  title: "Studio",
  needsScripts: "The studio needs JavaScript. Please allow it for this site.",
  notBuilt: "The studio is missing from this installation",
  howToBuild:
    "Your site works, but this program was started from its sources before the studio was built. On the server, run this command in the directory of the program, then load this page again:",
  viewSite: "View site",
};

export const shellTexts: Translated<typeof en> = {
  en,
  de: {
    title: "Studio",
    needsScripts: "Das Studio braucht JavaScript. Bitte erlauben Sie es für diese Seite.",
    notBuilt: "In dieser Installation fehlt das Studio",
    howToBuild:
      "Ihre Website funktioniert, aber das Programm wurde aus den Quellen gestartet, bevor das Studio gebaut war. Führen Sie auf dem Server im Verzeichnis des Programms diesen Befehl aus, und laden Sie diese Seite dann neu:",
    viewSite: "Website ansehen",
  },
};
