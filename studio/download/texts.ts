import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

export const downloadTexts = translate({
  en: {
    tooManyPhotos: (most: number) =>
      `At most ${n(most)} photos can be downloaded at once. Add them to an album, and download that.`,
    tooManyFiles: (most: number) =>
      `At most ${n(most)} are downloaded at once. Download the whole folder as a zip instead.`,
    noFile: "The file of this photo is in the trash.",
  },
  de: {
    tooManyPhotos: (most) =>
      `Es können höchstens ${n(most)} Fotos auf einmal heruntergeladen werden. Fügen Sie sie einem Album hinzu, und laden Sie dieses herunter.`,
    tooManyFiles: (most) =>
      `Höchstens ${n(most)} werden auf einmal heruntergeladen. Laden Sie den ganzen Ordner als ZIP herunter.`,
    noFile: "Die Datei dieses Fotos ist im Papierkorb.",
  },
});
