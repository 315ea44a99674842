import type { Translated } from "../site/language.ts";

const en = {
  title: "Studio",
  needsScripts: "The studio needs JavaScript. Please allow it for this site.",
};

export const shellTexts: Translated<typeof en> = {
  en,
  de: {
    title: "Studio",
    needsScripts: "Das Studio braucht JavaScript. Bitte erlauben Sie es für diese Seite.",
  },
};
