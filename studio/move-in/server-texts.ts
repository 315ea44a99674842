import { translate } from "../lib/language.ts";

export const serverTexts = translate({
  en: {
    where: "1. Where is it?",
    places: {
      upload: { label: "In an export", hint: "Zip archives and other files, which you upload." },
      server: {
        label: "On another server",
        hint: "Immich, Nextcloud or WebDAV, or another Vitrine, including in your local network.",
      },
      disk: { label: "On the disk of this server", hint: "A folder or an archive in IMPORT_DIR." },
    },
    kind: "Which program?",
    kinds: { immich: "Immich", webdav: "Nextcloud, ownCloud, WebDAV", vitrine: "Another Vitrine" },
    addressHints: {
      immich: "The address that you open in the browser.",
      webdav:
        "The address that you open in the browser. For a single folder, or another WebDAV server: the address of the folder.",
      vitrine: "The address of the other site.",
    },
    username: "Username",
    keys: { immich: "API key", webdav: "App password", vitrine: "Password" },
    keyHints: {
      immich:
        "In Immich: Account settings, API keys. It needs asset.read, asset.download, album.read, tag.read, stack.read, sharedLink.read and user.read.",
      webdav: "In Nextcloud: Personal settings, Security, Create new app password.",
      vitrine: "An admin’s password imports everything; another person’s imports what belongs to them.",
    },
    forgotten: "What you enter is sent only to that server. It is not stored, and is forgotten when the import ends.",
    folder: "Folder or archive",
    folderHint: "In the directory set by the server’s IMPORT_DIR variable. If it is empty, all of it is imported.",
    refusals: {
      key: (sentence: string) => sentence,
      server: (sentence: string) => sentence,
    },
    waits: "This import is waiting for the key",
    waitsHint: "Keys are not stored: after a restart, the import needs it again, and continues where it stopped.",
    resume: "Continue",
    retrying: "The other server is not responding. Trying again in a while…",
    readingServer: "Reading the other server…",
    tryingServer: "Reading the other server. Nothing is changed…",
    authors: "Who wrote it?",
    authorsHint:
      "These accounts become the authors of posts and comments. No one can sign in to a new account until it has a password.",
    newAccount: "New account",
    items: (number: string) => `${number} items so far`,
  },
  de: {
    where: "1. Wo liegt es?",
    places: {
      upload: { label: "In einem Export", hint: "Zip-Archive und andere Dateien, die Sie hochladen." },
      server: {
        label: "Auf einem anderen Server",
        hint: "Immich, Nextcloud oder WebDAV, eine andere Vitrine; auch im eigenen Netz.",
      },
      disk: { label: "Auf der Platte dieses Servers", hint: "Ein Ordner oder Archiv unter IMPORT_DIR." },
    },
    kind: "Welches Programm?",
    kinds: { immich: "Immich", webdav: "Nextcloud, ownCloud, WebDAV", vitrine: "Eine andere Vitrine" },
    addressHints: {
      immich: "Wie Sie es im Browser öffnen.",
      webdav:
        "Wie Sie es im Browser öffnen. Für einen einzelnen Ordner oder andere WebDAV-Server: die Adresse des Ordners.",
      vitrine: "Die Adresse der anderen Website.",
    },
    username: "Benutzername",
    keys: { immich: "API-Schlüssel", webdav: "App-Passwort", vitrine: "Passwort" },
    keyHints: {
      immich:
        "In Immich: Kontoeinstellungen, API-Schlüssel. Er braucht asset.read, asset.download, album.read, tag.read, stack.read, sharedLink.read und user.read.",
      webdav: "In Nextcloud: Persönliche Einstellungen, Sicherheit, Neues App-Passwort erstellen.",
      vitrine: "Das eines Administrators bringt alles mit, das einer anderen Person, was ihr gehört.",
    },
    forgotten:
      "Was Sie eingeben, wird nur an jenen Server geschickt, nicht gespeichert und vergessen, wenn der Import zu Ende ist.",
    folder: "Ordner oder Archiv",
    folderHint: "Unter dem Verzeichnis, das die Variable IMPORT_DIR dieses Servers nennt. Leer: das ganze.",
    refusals: {
      key: (_sentence: string) => "Der andere Server nimmt das nicht an. Prüfen Sie, ob alles stimmt.",
      server: (sentence: string) => `Der andere Server lässt sich so nicht lesen: ${sentence}`,
    },
    waits: "Dieser Import wartet auf den Schlüssel",
    waitsHint:
      "Schlüssel werden nicht gespeichert: Nach einem Neustart braucht der Import ihn wieder und macht weiter, wo er war.",
    resume: "Weitermachen",
    retrying: "Der andere Server antwortet nicht. Er wird nach einer Weile wieder gefragt …",
    readingServer: "Der andere Server wird gelesen …",
    tryingServer: "Der andere Server wird gelesen. Nichts ändert sich …",
    authors: "Wer hat es geschrieben?",
    authorsHint:
      "Beiträge und Kommentare bekommen diese Konten als Autoren. Bei einem neuen Konto kann sich niemand anmelden, bevor es ein Passwort hat.",
    newAccount: "Neues Konto",
    items: (number: string) => `bisher ${number} Dinge`,
  },
});
