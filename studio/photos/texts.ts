import { formatCount, formatNumber as n } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const photos = (count: number) => formatCount(count, "photo", "photos");
const filesOf = (count: number) => formatCount(count, "file", "files");
const fotos = (count: number) => formatCount(count, "Foto", "Fotos");
const dateien = (count: number) => formatCount(count, "Datei", "Dateien");

export const photosTexts = translate({
  en: {
    findDuplicates: "Find duplicates",
    count: (count: string) => `${count} photos`,
    one: "1 photo",
    countOfDated: (count: string) => `${count} and some undated`,
    undated: "Without a date",
    found: (words: string) => `Results for “${words}”`,
    anyVisibility: "Public and private",
    anyAlbum: "In an album or not",
    noAlbum: "Not in an album",
    anyTitle: "With or without a title",
    noTitle: "Without a title",
    mine: "My photos",
    everyone: "Everyone’s photos",
    clearFilters: "Clear filters",
    filters: "Filters",
    empty: "No photos yet",
    emptyHint: "Drop pictures and videos anywhere on this page, or choose them.",
    nothing: "No photos match",
    nothingHint: "Change the filters, or clear them.",
    select: "Select photos",
    selected: (count: string) => `${count} selected`,
    endSelection: "End the selection",
    filter: "Filter",
    selectMonth: "Select the month",
    selectFocused: "Select the photo",
    moveFocus: "Move between photos",
    extendSelection: "Extend the selection",
    area: "Area of the map",
    addedTo: (count: string, album: string) => `${count} added to ${album}.`,
    favourite: "Add to favourites",
    unfavourite: "Remove from favourites",
    changed: (count: string) => `${count} changed.`,
    nowPublic: (count: string) => `${count} now public.`,
    nowPrivate: (count: string) => `${count} now private.`,
    deleted: (count: number, files: number, kept: number) => {
      if (files === 0) return `Moved ${photos(count)} to the trash.`;
      if (kept > 0 || files < count) return `Moved ${photos(count)} and ${filesOf(files)} to the trash.`;
      return `Moved ${photos(count)} and ${count === 1 ? "its file" : "their files"} to the trash.`;
    },
    filesStay: (count: number) =>
      `${filesOf(count)} ${count === 1 ? "is kept, because something else uses it." : "are kept, because something else uses them."}`,
    filesStayPublic: (count: number) =>
      count === 1
        ? "1 original stays public, because something else that is public uses it."
        : `${n(count)} originals stay public, because something else that is public uses them.`,
    refused: (count: string, why: string) => `${count} not changed: ${why}`,
    changing: "Changing photos",
    editMany: (count: string) => (count === "1" ? "Edit 1 photo" : `Edit ${count} photos`),
    apply: "Apply",
    titlePatternHint:
      "{n} is the number of the photo, oldest first; {nnn} has at least three digits; {title} is its current title.",
    addTags: "Add tags",
    removeTags: "Remove tags",
    unchanged: "Unchanged",
    setDate: "Set for all",
    takenAt: "Taken",
    shiftDate: "Shift",
    shiftDirection: "Direction",
    later: "Later",
    earlier: "Earlier",
    days: "Days",
    hours: "Hours",
    minutes: "Minutes",
    shiftHint: "For a camera whose clock was wrong.",
    setZone: "Set the time zone",
    zone: "Time zone of the camera",
    zoneHint:
      "Times stay as the camera’s clock showed them. Photos whose files name a time zone keep their exact time.",
  },
  de: {
    findDuplicates: "Duplikate suchen",
    count: (count: string) => `${count} Fotos`,
    one: "1 Foto",
    countOfDated: (count: string) => `${count} und einige ohne Datum`,
    undated: "Ohne Datum",
    found: (words: string) => `Gefunden für „${words}“`,
    anyVisibility: "Öffentlich und privat",
    anyAlbum: "Mit und ohne Album",
    noAlbum: "In keinem Album",
    anyTitle: "Mit und ohne Titel",
    noTitle: "Ohne Titel",
    mine: "Meine Fotos",
    everyone: "Fotos von allen",
    clearFilters: "Filter löschen",
    filters: "Filter",
    empty: "Noch keine Fotos",
    emptyHint: "Ziehen Sie Bilder und Videos auf diese Seite, oder wählen Sie sie aus.",
    nothing: "Kein Foto passt dazu",
    nothingHint: "Ändern Sie die Filter, oder löschen Sie sie.",
    select: "Fotos auswählen",
    selected: (count: string) => `${count} ausgewählt`,
    endSelection: "Auswahl beenden",
    filter: "Filter",
    selectMonth: "Den Monat auswählen",
    selectFocused: "Das Foto auswählen",
    moveFocus: "Von Foto zu Foto gehen",
    extendSelection: "Die Auswahl erweitern",
    area: "Ausschnitt der Karte",
    addedTo: (count: string, album: string) => `${count} zu ${album} hinzugefügt.`,
    favourite: "Zu den Favoriten",
    unfavourite: "Aus den Favoriten entfernen",
    changed: (count: string) => `${count} geändert.`,
    nowPublic: (count: string) => `${count} jetzt öffentlich.`,
    nowPrivate: (count: string) => `${count} jetzt privat.`,
    deleted: (count: number, files: number, kept: number) => {
      if (files === 0) return `${fotos(count)} in den Papierkorb verschoben.`;
      if (kept > 0 || files < count) return `${fotos(count)} und ${dateien(files)} in den Papierkorb verschoben.`;
      return count === 1
        ? "1 Foto mit seiner Datei in den Papierkorb verschoben."
        : `${fotos(count)} mit ihren Dateien in den Papierkorb verschoben.`;
    },
    filesStay: (count: number) =>
      count === 1
        ? "1 Datei bleibt, weil etwas anderes sie verwendet."
        : `${dateien(count)} bleiben, weil etwas anderes sie verwendet.`,
    filesStayPublic: (count: number) =>
      count === 1
        ? "1 Original bleibt öffentlich, weil etwas anderes Öffentliches es verwendet."
        : `${n(count)} Originale bleiben öffentlich, weil etwas anderes Öffentliches sie verwendet.`,
    refused: (count: string, why: string) => `${count} nicht geändert: ${why}`,
    changing: "Fotos werden geändert",
    editMany: (count: string) => (count === "1" ? "1 Foto bearbeiten" : `${count} Fotos bearbeiten`),
    apply: "Anwenden",
    titlePatternHint:
      "{n} ist die Nummer des Fotos, das älteste zuerst; {nnn} hat mindestens drei Ziffern; {title} ist der bisherige Titel.",
    addTags: "Schlagwörter hinzufügen",
    removeTags: "Schlagwörter entfernen",
    unchanged: "Wie bisher",
    setDate: "Für alle setzen",
    takenAt: "Aufgenommen",
    shiftDate: "Verschieben",
    shiftDirection: "Richtung",
    later: "Später",
    earlier: "Früher",
    days: "Tage",
    hours: "Stunden",
    minutes: "Minuten",
    shiftHint: "Für eine Kamera, deren Uhr falsch ging.",
    setZone: "Zeitzone setzen",
    zone: "Zeitzone der Kamera",
    zoneHint:
      "Die Zeiten bleiben, wie die Uhr der Kamera sie zeigte. Fotos, deren Dateien eine Zeitzone nennen, behalten ihre genaue Zeit.",
  },
});
