import type { Translated } from "../language.ts";

type KindNames = { one: string; many: string };

const en = {
  title: "Search",
  label: "Search this site",
  hint: "Use quotes to match an exact phrase.",
  submit: "Search",
  kinds: "Kinds of results",
  all: "Everything",
  kind: {
    photo: { one: "Photo", many: "Photos" },
    post: { one: "Post", many: "Posts" },
    page: { one: "Page", many: "Pages" },
    comment: { one: "Comment", many: "Comments" },
    album: { one: "Album", many: "Albums" },
    file: { one: "File", many: "Files" },
  } as Record<string, KindNames>,
  results: (query: string) => `Results for “${query}”`,
  nothing: (query: string) => `Nothing was found for “${query}”.`,
  advice: ["Check the spelling.", "Try fewer words, or only the beginning of a word.", "Search everything."],
  more: "More results",
  back: "Previous results",
  commentOn: (title: string) => `Comment on “${title}”`,
  found: "Results: ",
  failed: "The search could not be loaded. Reload the page to try again.",
  needsScript: "The search needs JavaScript.",
};

const de: typeof en = {
  title: "Suche",
  label: "Diese Website durchsuchen",
  hint: "Eine Wortfolge in Anführungszeichen wird genau so gesucht.",
  submit: "Suchen",
  kinds: "Arten von Ergebnissen",
  all: "Alles",
  kind: {
    photo: { one: "Foto", many: "Fotos" },
    post: { one: "Beitrag", many: "Beiträge" },
    page: { one: "Seite", many: "Seiten" },
    comment: { one: "Kommentar", many: "Kommentare" },
    album: { one: "Album", many: "Alben" },
    file: { one: "Datei", many: "Dateien" },
  },
  results: (query) => `Ergebnisse für „${query}“`,
  nothing: (query) => `Zu „${query}“ wurde nichts gefunden.`,
  advice: [
    "Prüfen Sie die Schreibweise.",
    "Versuchen Sie weniger Wörter oder nur den Anfang eines Wortes.",
    "Suchen Sie in allem.",
  ],
  more: "Weitere Ergebnisse",
  back: "Vorherige Ergebnisse",
  commentOn: (title) => `Kommentar zu „${title}“`,
  found: "Ergebnisse: ",
  failed: "Die Suche konnte nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.",
  needsScript: "Die Suche braucht JavaScript.",
};

export const searchTexts: Translated<typeof en> = { en, de };
