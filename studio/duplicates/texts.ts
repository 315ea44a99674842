import { formatCount as count } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

export const duplicatesTexts = translate({
  en: {
    title: "Duplicates",
    groups: (number: number) => count(number, "picture with copies", "pictures with copies"),
    pending: "Photos are still being compared. More copies may be found.",
    none: "No duplicates",
    noneHint: "Copies of a picture in other sizes or formats appear here.",
    copies: (number: number) => `${number} copies`,
    keep: (title: string) => `Keep “${title}”`,
    best: "Best copy",
    open: (title: string) => `Open “${title}”`,
    keepAll: "Keep all",
    trash: (kept: number, others: number) => `Keep ${kept}, delete ${others}`,
    notDuplicates: "Not duplicates",
    notSuggested: "These photos are no longer suggested.",
  },
  de: {
    title: "Duplikate",
    groups: (number: number) => count(number, "Bild mit Kopien", "Bilder mit Kopien"),
    pending: "Die Fotos werden noch verglichen. Vielleicht gibt es weitere Kopien.",
    none: "Keine Duplikate",
    noneHint: "Hier erscheinen Kopien eines Bildes in anderen Größen oder Formaten.",
    copies: (number: number) => `${number} Kopien`,
    keep: (title: string) => `„${title}“ behalten`,
    best: "Beste Kopie",
    open: (title: string) => `„${title}“ öffnen`,
    keepAll: "Alle behalten",
    trash: (kept: number, others: number) => `${kept} behalten, ${others} löschen`,
    notDuplicates: "Keine Duplikate",
    notSuggested: "Diese Fotos werden nicht mehr vorgeschlagen.",
  },
});
