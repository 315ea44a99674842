import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

/** Apart from the texts of the frame, because only the dialog needs them. */
export const signOutTexts = translate({
  en: {
    signOutTitle: "Discard unsaved work?",
    signOutHint: "The following exists only in this browser, and is deleted when you sign out:",
    staySignedIn: "Stay signed in",
    discardAndSignOut: "Discard and sign out",
    allSaved: "Everything is saved now.",
    unsaved: {
      post: (title: string) => (title === "" ? "A post without a title" : `Post “${title}”`),
      photos: (count: number) => (count === 1 ? "Details of a photo" : `Details of ${n(count)} photos`),
      replies: (count: number) => (count === 1 ? "A reply to a comment" : `${n(count)} replies to comments`),
      settings: "Changed settings of the site",
      uploads: (count: number) => (count === 1 ? "1 unfinished upload" : `${n(count)} unfinished uploads`),
    },
  },
  de: {
    signOutTitle: "Ungespeichertes verwerfen?",
    signOutHint: "Nur dieser Browser hat Folgendes. Es wird gelöscht, wenn Sie sich abmelden:",
    staySignedIn: "Angemeldet bleiben",
    discardAndSignOut: "Verwerfen und abmelden",
    allSaved: "Jetzt ist alles gespeichert.",
    unsaved: {
      post: (title) => (title === "" ? "Ein Beitrag ohne Titel" : `Beitrag „${title}“`),
      photos: (count) => (count === 1 ? "Angaben zu einem Foto" : `Angaben zu ${n(count)} Fotos`),
      replies: (count) => (count === 1 ? "Eine Antwort auf einen Kommentar" : `${n(count)} Antworten auf Kommentare`),
      settings: "Geänderte Einstellungen der Seite",
      uploads: (count) => (count === 1 ? "1 unfertiger Upload" : `${n(count)} unfertige Uploads`),
    },
  },
});
