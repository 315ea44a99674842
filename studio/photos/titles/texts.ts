import { translate } from "../../lib/language.ts";

export const titlesTexts = translate({
  en: {
    shownAs: (name: string) => `Visitors see “${name}” until it has one.`,
    notShown: "Visitors see no title until it has one.",
    altText: "Alternative text",
    altTextHint: "What the picture shows, for people who cannot see it.",
    previous: "Back",
    next: "Save and next",
    keys: "Enter saves and shows the next photo. Page down skips it, Page up goes back.",
    failed: (title: string, problem: string) => `“${title}” was not saved: ${problem}`,
    noPicture: "This photo has no picture.",
    done: "That was the last one",
    allDone: "Every photo has a title.",
    skipped: "Skipped photos still have no title.",
    again: "Start again",
  },
  de: {
    shownAs: (name: string) => `Solange es keinen hat, sehen Besucher „${name}“.`,
    notShown: "Solange es keinen hat, sehen Besucher keinen Titel.",
    altText: "Alternativtext",
    altTextHint: "Was das Bild zeigt, für alle, die es nicht sehen können.",
    previous: "Zurück",
    next: "Speichern und weiter",
    keys: "Die Eingabetaste sichert und zeigt das nächste Foto. Bild ab überspringt es, Bild auf führt zurück.",
    failed: (title: string, problem: string) => `„${title}“ wurde nicht gesichert: ${problem}`,
    noPicture: "Dieses Foto hat kein Bild.",
    done: "Das war das letzte",
    allDone: "Jedes Foto hat einen Titel.",
    skipped: "Übersprungene Fotos haben noch keinen.",
    again: "Von vorn beginnen",
  },
});
