import { translate } from "../lib/language.ts";

export const mapTexts = translate({
  en: {
    title: "Map",
    label: "Map of your photos: the arrow keys move it, + and − zoom",
    controls: "Move the map",
    in: "Zoom in",
    out: "Zoom out",
    west: "To the west",
    north: "To the north",
    south: "To the south",
    east: "To the east",
    world: "Whole world",
    places: "Places",
    none: "None of your photos were taken here.",
    photos: (count: number, printed: string) => (count === 1 ? "1 photo" : `${printed} photos`),
    more: (printed: string) => `These are the ${printed} places with the most photos. Zoom in to see the others.`,
    show: "Show these photos",
    back: "All places",
    nearest: (printed: string) => `The newest ${printed} are shown here.`,
    empty: "No photos have a place yet",
    emptyHint:
      "Photos get a place from their files, if the camera or phone stored one. You can also enter it: open the details of a photo, or select several and choose Edit.",
  },
  de: {
    title: "Karte",
    label: "Karte Ihrer Fotos: Die Pfeiltasten verschieben sie, + und − vergrößern und verkleinern",
    controls: "Karte bewegen",
    in: "Vergrößern",
    out: "Verkleinern",
    west: "Nach Westen",
    north: "Nach Norden",
    south: "Nach Süden",
    east: "Nach Osten",
    world: "Ganze Welt",
    places: "Orte",
    none: "Hier ist keines Ihrer Fotos entstanden.",
    photos: (count, printed) => (count === 1 ? "1 Foto" : `${printed} Fotos`),
    more: (printed) =>
      `Das sind die ${printed} Orte mit den meisten Fotos. Vergrößern Sie die Karte, um die anderen zu sehen.`,
    show: "Diese Fotos zeigen",
    back: "Alle Orte",
    nearest: (printed) => `Die neuesten ${printed} sind hier zu sehen.`,
    empty: "Noch hat kein Foto einen Ort",
    emptyHint:
      "Fotos bekommen ihren Ort aus ihrer Datei, wenn Kamera oder Telefon ihn gespeichert haben. Sie können ihn auch selbst eintragen: Öffnen Sie ein Foto und seine Details, oder wählen Sie mehrere aus und dann Bearbeiten.",
  },
});
