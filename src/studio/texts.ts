import type { Translated } from "../site/language.ts";

const en = {
  title: "Studio",
  needsScripts: "The studio needs JavaScript. Please allow it for this site.",
  notBuilt: "The studio is not built. Run “npm run build” in the directory of the program, then load this page again.",
};

export const shellTexts: Translated<typeof en> = {
  en,
  de: {
    title: "Studio",
    needsScripts: "Das Studio braucht JavaScript. Bitte erlauben Sie es für diese Seite.",
    notBuilt:
      "Das Studio ist nicht gebaut. Führen Sie im Verzeichnis des Programms „npm run build“ aus, und laden Sie diese Seite neu.",
  },
};
