/** The languages in which the site is complete. */
export const languages = ["en", "de"] as const;

export type Language = (typeof languages)[number];

/** Texts in every language. The type of the others is that of the English ones, so none can be missing. */
export type Translated<Texts> = Record<Language, Texts>;

/** The language for a tag such as `de-AT`. */
export function languageFor(tag: string): Language {
  return languages.find((language) => tag === language || tag.startsWith(`${language}-`)) ?? "en";
}

const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);

export const directionOf = (tag: string): "ltr" | "rtl" => (rightToLeft.has(tag.split("-")[0] ?? "") ? "rtl" : "ltr");
