import type { Translated } from "../language.ts";

const en = {
  title: "Albums",
  empty: "There are no albums yet.",
  emptyAlbum: "There are no photos in this album yet.",
  breadcrumb: "Albums above this one",
  nested: "Albums in this album",
  download: "Download as a zip archive",
  pages: "Pages",
};

const de: typeof en = {
  title: "Alben",
  empty: "Es gibt noch keine Alben.",
  emptyAlbum: "In diesem Album sind noch keine Fotos.",
  breadcrumb: "Übergeordnete Alben",
  nested: "Alben in diesem Album",
  download: "Als Zip-Archiv herunterladen",
  pages: "Seiten",
};

export const albumTexts: Translated<typeof en> = { en, de };
