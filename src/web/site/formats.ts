import type { Language } from "./language.ts";

/** Keeps what is made for a language: to make a format of `Intl` takes as long as to use it hundreds of times. */
function perLanguage<Format>(make: (language: Language) => Format): (language: Language) => Format {
  const known = new Map<Language, Format>();
  return (language) => {
    const found = known.get(language) ?? make(language);
    known.set(language, found);
    return found;
  };
}

/** In UTC: a page is the same for all visitors, wherever they are. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((language) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }));

export const numberFormat = (options: Intl.NumberFormatOptions = {}) =>
  perLanguage((language) => new Intl.NumberFormat(language, options));

const whole = numberFormat();

/** A number of things. */
export const printCount = (count: number, language: Language): string => whole(language).format(count);
