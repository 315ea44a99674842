import type { Translated } from "../language.ts";

const en = {
  title: "Files",
  about: "Folders and files of this site.",
  path: "You are here",
  name: "Name",
  size: "Size",
  changed: "Changed",
  type: "Type",
  directory: "Folder",
  file: "File",
  zip: "Download as zip",
  download: "Download",
  open: "Open",
  empty: "This folder is empty.",
  emptyRoot: "There are no files here yet.",
  first: "Back to the beginning",
  next: "Next files",
  photo: "Show the photo",
  noPreview: "There is no preview of this kind of file.",
  withheld:
    "Only its owner can download this file: it may contain private data, such as a location, that cannot be removed.",
  beginning: (size: string) => `This is the beginning of the file, the first ${size}.`,
  picture: (name: string) => `Picture: ${name}`,
};

const de: typeof en = {
  title: "Dateien",
  about: "Ordner und Dateien dieser Website.",
  path: "Sie sind hier",
  name: "Name",
  size: "Größe",
  changed: "Geändert",
  type: "Typ",
  directory: "Ordner",
  file: "Datei",
  zip: "Als Zip herunterladen",
  download: "Herunterladen",
  open: "Öffnen",
  empty: "Dieser Ordner ist leer.",
  emptyRoot: "Hier gibt es noch keine Dateien.",
  first: "Zurück zum Anfang",
  next: "Weitere Dateien",
  photo: "Zum Foto",
  noPreview: "Für diese Art von Datei gibt es keine Vorschau.",
  withheld:
    "Nur der Besitzer kann diese Datei herunterladen: Sie kann private Daten wie einen Ort enthalten, die sich nicht entfernen lassen.",
  beginning: (size) => `Das ist der Anfang der Datei, die ersten ${size}.`,
  picture: (name) => `Bild: ${name}`,
};

export const browseTexts: Translated<typeof en> = { en, de };
