import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

export const pickTexts = translate({
  en: {
    choosePhotos: "Choose photos",
    choosePhoto: "Choose a photo",
    searchAlbums: "Search albums",
    allMonths: "All months",
    chosen: (count: number) => (count === 1 ? "1 photo chosen" : `${n(count)} photos chosen`),
    add: (count: number) => (count > 0 ? `Add ${n(count)}` : "Add"),
    noPhotos: "There are no photos yet",
    noPhotosHint: "Upload some first.",
    noAlbums: "There are no albums yet",
    topLevel: "No album (top level)",
    newAlbumNamed: (name: string) => `New album “${name}”`,
  },
  de: {
    choosePhotos: "Fotos auswählen",
    choosePhoto: "Foto auswählen",
    searchAlbums: "Alben suchen",
    allMonths: "Alle Monate",
    chosen: (count) => (count === 1 ? "1 Foto ausgewählt" : `${n(count)} Fotos ausgewählt`),
    add: (count) => (count > 0 ? `${n(count)} hinzufügen` : "Hinzufügen"),
    noPhotos: "Es gibt noch keine Fotos",
    noPhotosHint: "Laden Sie zuerst welche hoch.",
    noAlbums: "Es gibt noch keine Alben",
    topLevel: "Kein Album (oberste Ebene)",
    newAlbumNamed: (name) => `Neues Album „${name}“`,
  },
});
