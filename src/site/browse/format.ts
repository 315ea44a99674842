import type { Language } from "../language.ts";

/** The server does not know the time zone of its visitors. */
export const formatDate = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time));
