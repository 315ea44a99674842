import { page } from "./page.ts";

/** The languages of the studio. The page has the one that the browser asks for. */
type Language = "en" | "de";

export const language: Language = page?.documentElement.lang === "de" ? "de" : "en";

/** Texts of one screen in every language. The German ones have the names and types of the English ones. */
export function translate<Texts>(texts: { en: Texts; de: NoInfer<Texts> }): Texts {
  return texts[language];
}
