import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

export const hiddenTexts = translate({
  en: {
    inPost: (what: string) => `Readers cannot see what is private in it: ${what}.`,
    inAlbum: (seen: number, total: number) =>
      seen === 0
        ? "Guests see none of its photos: all of them are private."
        : `Guests see ${n(seen)} of its ${n(total)} photos: the others are private.`,
    nothing: "Guests can see all of it.",
    makePublic: (count: number) => (count === 1 ? "Make it public too" : `Make these ${n(count)} public too`),
    madePublic: (count: number) => (count === 1 ? "1 more is now public." : `${n(count)} more are now public.`),
  },
  de: {
    inPost: (what) => `Leser sehen nicht, was darin privat ist: ${what}.`,
    inAlbum: (seen, total) =>
      seen === 0
        ? "Gäste sehen keines der Fotos: Alle sind privat."
        : `Gäste sehen ${n(seen)} von ${n(total)} Fotos: Die anderen sind privat.`,
    nothing: "Gäste sehen alles.",
    makePublic: (count) => (count === 1 ? "Auch das öffentlich machen" : `Auch diese ${n(count)} öffentlich machen`),
    madePublic: (count) =>
      count === 1 ? "1 weiteres ist jetzt öffentlich." : `${n(count)} weitere sind jetzt öffentlich.`,
  },
});
