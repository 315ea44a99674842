import { formatCount, formatNumber as n } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const photos = (count: number) => formatCount(count, "photo", "photos");
const filesOf = (count: number) => formatCount(count, "file", "files");
const fotos = (count: number) => formatCount(count, "Foto", "Fotos");
const dateien = (count: number) => formatCount(count, "Datei", "Dateien");

export const photosTexts = translate({
  en: {
    title: "Photos",
    count: (count: string) => `${count} photos`,
    one: "1 photo",
    countOfDated: (count: string) => `${count} with a date, and some without`,
    undated: "Without a date",
    found: (words: string) => `Found for “${words}”`,
    search: "Search photos",
    tag: "Tag",
    favourites: "Favourites",
    anyKind: "Photos and videos",
    images: "Photos",
    videos: "Videos",
    anyVisibility: "Public and private",
    isPublic: "Public",
    isPrivate: "Private",
    anyAlbum: "With and without an album",
    noAlbum: "In no album",
    mine: "My photos",
    everyone: "Everyone’s photos",
    clearFilters: "Clear filters",
    filters: "Filters",
    empty: "No photos yet",
    emptyHint: "Drop pictures and videos anywhere on this page, or choose them.",
    nothing: "No photo matches",
    nothingHint: "Change the filters, or clear them.",
    select: "Select photos",
    selected: (count: string) => `${count} selected`,
    endSelection: "End the selection",
    filter: "Filter",
    visibility: "Visibility",
    selectMonth: "Select the month",
    selectFocused: "Select the photo",
    moveFocus: "Move between photos",
    extendSelection: "Extend the selection",
    addToAlbum: "Add to album",
    addedTo: (count: string, album: string) => `${count} added to ${album}.`,
    favourite: "Add to favourites",
    unfavourite: "Remove from favourites",
    makePublic: "Make public",
    makePrivate: "Make private",
    edit: "Edit",
    delete: "Delete",
    download: "Download",
    downloadZip: "Download as zip",
    more: "More actions",
    changed: (count: string) => `${count} changed.`,
    nowPublic: (count: string) => `${count} public now.`,
    nowPrivate: (count: string) => `${count} private now.`,
    deleted: (count: number, files: number, kept: number) => {
      if (files === 0) return `Moved ${photos(count)} to the trash.`;
      if (kept > 0 || files < count) return `Moved ${photos(count)} and ${filesOf(files)} to the trash.`;
      return `Moved ${photos(count)} and ${count === 1 ? "its file" : "their files"} to the trash.`;
    },
    filesStay: (count: number) =>
      `${filesOf(count)} ${count === 1 ? "stays, because something else uses it." : "stay, because something else uses them."}`,
    filesStayPublic: (count: number) =>
      count === 1
        ? "1 original stays public, because something else that is public uses it."
        : `${n(count)} originals stay public, because something else that is public uses them.`,
    refused: (count: string, why: string) => `${count} not changed: ${why}`,
    changing: "Changing photos",
    cancel: "Cancel",
    editMany: (count: string) => (count === "1" ? "Edit 1 photo" : `Edit ${count} photos`),
    apply: "Apply",
    titlePattern: "Title",
    titlePatternHint:
      "{n} is the number of the photo, oldest first; {nnn} has at least three digits; {title} is the title it has.",
    addTags: "Add tags",
    removeTags: "Remove tags",
    unchanged: "Unchanged",
    shiftDate: "Shift the date",
    shiftDirection: "Direction",
    later: "Later",
    earlier: "Earlier",
    days: "Days",
    hours: "Hours",
    minutes: "Minutes",
    shiftHint: "For a camera whose clock was wrong.",
  },
  de: {
    title: "Fotos",
    count: (count: string) => `${count} Fotos`,
    one: "1 Foto",
    countOfDated: (count: string) => `${count} mit Datum und einige ohne`,
    undated: "Ohne Datum",
    found: (words: string) => `Gefunden für „${words}“`,
    search: "Fotos suchen",
    tag: "Schlagwort",
    favourites: "Favoriten",
    anyKind: "Fotos und Videos",
    images: "Fotos",
    videos: "Videos",
    anyVisibility: "Öffentlich und privat",
    isPublic: "Öffentlich",
    isPrivate: "Privat",
    anyAlbum: "Mit und ohne Album",
    noAlbum: "In keinem Album",
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
    visibility: "Sichtbarkeit",
    selectMonth: "Den Monat auswählen",
    selectFocused: "Das Foto auswählen",
    moveFocus: "Von Foto zu Foto gehen",
    extendSelection: "Die Auswahl erweitern",
    addToAlbum: "Zum Album hinzufügen",
    addedTo: (count: string, album: string) => `${count} zu ${album} hinzugefügt.`,
    favourite: "Zu den Favoriten",
    unfavourite: "Aus den Favoriten entfernen",
    makePublic: "Öffentlich machen",
    makePrivate: "Privat machen",
    edit: "Bearbeiten",
    delete: "Löschen",
    download: "Herunterladen",
    downloadZip: "Als ZIP herunterladen",
    more: "Weitere Aktionen",
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
    cancel: "Abbrechen",
    editMany: (count: string) => (count === "1" ? "1 Foto bearbeiten" : `${count} Fotos bearbeiten`),
    apply: "Anwenden",
    titlePattern: "Titel",
    titlePatternHint:
      "{n} ist die Nummer des Fotos, das älteste zuerst; {nnn} hat mindestens drei Ziffern; {title} ist der bisherige Titel.",
    addTags: "Schlagwörter hinzufügen",
    removeTags: "Schlagwörter entfernen",
    unchanged: "Wie bisher",
    shiftDate: "Datum verschieben",
    shiftDirection: "Richtung",
    later: "Später",
    earlier: "Früher",
    days: "Tage",
    hours: "Stunden",
    minutes: "Minuten",
    shiftHint: "Für eine Kamera, deren Uhr falsch ging.",
  },
});
