import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

export const pickTexts = translate({
  en: {
    choosePhotos: "Choose photos",
    choosePhoto: "Choose a photo",
    chooseAlbum: "Choose an album",
    searchPhotos: "Search photos",
    searchAlbums: "Search albums",
    month: "Month",
    allMonths: "All months",
    photos: "Photos",
    chosen: (count: number) => (count === 1 ? "1 photo chosen" : `${n(count)} photos chosen`),
    add: (count: number) => (count > 0 ? `Add ${n(count)}` : "Add"),
    noPhotos: "There are no photos yet",
    noPhotosHint: "Upload some first.",
    noMatch: "Nothing matches.",
    noAlbums: "There are no albums yet",
    topLevel: "No album (top level)",
    newAlbumNamed: (name: string) => `New album “${name}”`,
    count: (count: number) => (count === 1 ? "1 photo" : `${n(count)} photos`),
    untitled: "Untitled photo",
  },
  de: {
    choosePhotos: "Fotos auswählen",
    choosePhoto: "Foto auswählen",
    chooseAlbum: "Album auswählen",
    searchPhotos: "Fotos suchen",
    searchAlbums: "Alben suchen",
    month: "Monat",
    allMonths: "Alle Monate",
    photos: "Fotos",
    chosen: (count) => (count === 1 ? "1 Foto ausgewählt" : `${n(count)} Fotos ausgewählt`),
    add: (count) => (count > 0 ? `${n(count)} hinzufügen` : "Hinzufügen"),
    noPhotos: "Es gibt noch keine Fotos",
    noPhotosHint: "Laden Sie zuerst welche hoch.",
    noMatch: "Nichts gefunden.",
    noAlbums: "Es gibt noch keine Alben",
    topLevel: "Kein Album (oberste Ebene)",
    newAlbumNamed: (name) => `Neues Album „${name}“`,
    count: (count) => (count === 1 ? "1 Foto" : `${n(count)} Fotos`),
    untitled: "Foto ohne Titel",
  },
});
