import { translate } from "./language.ts";

/** What buttons, fields and menus of many screens say. */
export const words = translate({
  en: {
    cancel: "Cancel",
    close: "Close",
    done: "Done",
    more: "Load more",
  },
  de: {
    cancel: "Abbrechen",
    close: "Schließen",
    done: "Fertig",
    more: "Mehr laden",
  },
});
