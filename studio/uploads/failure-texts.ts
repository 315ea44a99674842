import { translate } from "../lib/language.ts";
import { reasonInGerman } from "./reasons.ts";

/** Why a file was not uploaded, or is not a photo. */
export const failureTexts = translate({
  en: {
    unreadable: "The file cannot be read. Was it changed or moved? Choose it again.",
    noPhoto: (path: string, reason: string) => `${reason} The file is stored in ${path}.`,
  },
  de: {
    unreadable: "Die Datei kann nicht gelesen werden. Wurde sie geändert oder verschoben? Wählen Sie sie neu aus.",
    noPhoto: (path, reason) =>
      `${reasonInGerman(reason) ?? "Daraus kann kein Foto werden: Das Format wird nicht unterstützt."} Die Datei liegt in ${path}.`,
  },
});
