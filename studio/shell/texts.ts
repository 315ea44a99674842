import { translate } from "../lib/language.ts";

export const frameTexts = translate({
  en: {
    sections: "Sections",
    skip: "Skip to the content",
    searchHint: "Search or type a command",
    recent: "Recent",
    goTo: "Go to",
    help: "General",
    shortcuts: "Keyboard shortcuts",
    offline: "You are offline.",
    unreachable: "The server cannot be reached.",
    keepWriting: "You can keep writing: your text stays on this device and is saved when the connection is back.",
    lost: "This page does not exist.",
    lostHint: "It may have been deleted, or the address may be wrong.",
    toHome: "Go to Home",
    accountRemoved: "You have been signed out, and your account is being removed with everything in it.",
    toSite: "Go to the site",
  },
  de: {
    sections: "Bereiche",
    skip: "Zum Inhalt springen",
    searchHint: "Suchen oder einen Befehl eingeben",
    recent: "Zuletzt",
    goTo: "Gehe zu",
    help: "Allgemein",
    shortcuts: "Tastenkürzel",
    offline: "Sie sind offline.",
    unreachable: "Der Server ist nicht erreichbar.",
    keepWriting:
      "Sie können weiterschreiben: Ihr Text bleibt auf diesem Gerät und wird gespeichert, sobald die Verbindung wieder da ist.",
    lost: "Diese Seite gibt es nicht.",
    lostHint: "Vielleicht wurde sie gelöscht, oder die Adresse ist falsch.",
    toHome: "Zum Start",
    accountRemoved: "Sie sind abgemeldet, und Ihr Konto wird mit allem entfernt.",
    toSite: "Zur Website",
  },
});
