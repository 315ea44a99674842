import { translate } from "../lib/language.ts";

export const gridTexts = translate({
  en: {
    select: (title: string) => `Select ${title}`,
    selectAll: (label: string) => `Select all of ${label}`,
    untitled: (id: number) => `Photo ${id}`,
    video: "Video",
    preparing: "Being prepared",
  },
  de: {
    select: (title: string) => `${title} auswählen`,
    selectAll: (label: string) => `Alle aus ${label} auswählen`,
    untitled: (id: number) => `Foto ${id}`,
    video: "Video",
    preparing: "Wird vorbereitet",
  },
});
