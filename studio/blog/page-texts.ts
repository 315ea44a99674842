import { translate } from "../lib/language.ts";
import type { Draft } from "./draft.ts";
import { listTexts, paneTexts, publishTexts, writerTexts } from "./texts.ts";

/** What is said of a page in other words than of a post. */
const pageTexts = translate({
  en: {
    tab: "Pages",
    list: {
      posts: "Pages",
      newPost: "New page",
      search: "Search pages",
      empty: "No pages yet",
      emptyHint: "About, Contact, Legal notice: a page is not part of the blog, and the menu can link to it.",
      notFound: "No pages match your search.",
      next: "Next page",
      previous: "Previous page",
    },
    writer: {
      back: "All pages",
      newPost: "New page",
      post: "Page",
      gone: "This page was deleted. Your text is still here.",
      saveAsNew: "Save as a new page",
      published: "The page is published.",
      updated: "The page was updated.",
      scheduled: (time: string) => `The page will be published ${time}.`,
      unpublished: "The page is a draft again.",
      needsText: "A page needs a title and some text before it can be published.",
    },
    publish: {
      publicHint:
        "It can be opened at its address right away. Pages do not appear in the feed. You can add it to the menu in the settings.",
      laterHint:
        "It can be opened at its address from then on. Pages do not appear in the feed. You can add it to the menu in the settings.",
      privateHint: "No one else can open it.",
    },
    pane: {
      visibility: "Who can see it",
      statuses: paneTexts.statuses,
      conflictTitle: "This page was changed elsewhere",
      conflictHint:
        "Someone else, or another tab, changed this page while you were writing. Nothing is lost: choose one of the two texts, or merge them.",
    },
  },
  de: {
    tab: "Einzelseiten",
    list: {
      posts: "Einzelseiten",
      newPost: "Neue Einzelseite",
      search: "Einzelseiten suchen",
      empty: "Noch keine Einzelseiten",
      emptyHint:
        "Über mich, Kontakt, Impressum: Eine Einzelseite steht außerhalb des Blogs; das Menü kann zu ihr führen.",
      notFound: "Keine Einzelseite enthält diese Wörter.",
      next: "Nächste Einzelseite",
      previous: "Vorherige Einzelseite",
    },
    writer: {
      back: "Alle Einzelseiten",
      newPost: "Neue Einzelseite",
      post: "Einzelseite",
      gone: "Diese Einzelseite wurde gelöscht. Ihr Text ist noch hier.",
      saveAsNew: "Als neue Einzelseite speichern",
      published: "Die Einzelseite ist veröffentlicht.",
      updated: "Die Einzelseite wurde aktualisiert.",
      scheduled: (time: string) => `Die Einzelseite erscheint am ${time}.`,
      unpublished: "Die Einzelseite ist wieder ein Entwurf.",
      needsText: "Eine Einzelseite braucht einen Titel und einen Text, bevor sie veröffentlicht werden kann.",
    },
    publish: {
      publicHint:
        "Sie ist sofort unter ihrer Adresse zu lesen. Im Feed stehen Einzelseiten nicht. Ins Menü kommt sie durch die Einstellungen.",
      laterHint:
        "Sie ist dann unter ihrer Adresse zu lesen. Im Feed stehen Einzelseiten nicht. Ins Menü kommt sie durch die Einstellungen.",
      privateHint: "Niemand sonst kann sie lesen.",
    },
    pane: {
      visibility: "Wer sie sehen kann",
      statuses: { ...paneTexts.statuses, draft: "Entwurf. Nur Sie und Administratoren sehen sie." },
      conflictTitle: "Diese Einzelseite wurde anderswo geändert",
      conflictHint:
        "In einem anderen Tab oder von jemand anderem, während Sie schrieben. Nichts ist verloren: Wählen Sie eine Fassung, oder übernehmen Sie beide.",
    },
  },
});

type Kind = Draft["kind"];

const ofPages = {
  list: { ...listTexts, ...pageTexts.list },
  writer: { ...writerTexts, ...pageTexts.writer },
  publish: { ...publishTexts, ...pageTexts.publish },
  pane: { ...paneTexts, ...pageTexts.pane },
};

export const tabTexts = { ...listTexts.tabs, page: pageTexts.tab };
export const listTextsOf = (kind: Kind) => (kind === "page" ? ofPages.list : listTexts);
export const writerTextsOf = (kind: Kind) => (kind === "page" ? ofPages.writer : writerTexts);
export const publishTextsOf = (kind: Kind) => (kind === "page" ? ofPages.publish : publishTexts);
export const paneTextsOf = (kind: Kind) => (kind === "page" ? ofPages.pane : paneTexts);

/** The parameters of the address of a list, and of a new post. */
export const listOf = (kind: Kind): Record<string, string> => (kind === "page" ? { tab: "page" } : {});
export const newOf = (kind: Kind): Record<string, string> => (kind === "page" ? { kind: "page" } : {});
