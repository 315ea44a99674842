import { translate } from "../lib/language.ts";

export const serverTexts = translate({
  en: {
    where: "1. Where is it?",
    places: {
      upload: { label: "In an export", hint: "Zip archives and other files, which you upload." },
      server: {
        label: "On another server",
        hint: "Immich, Nextcloud or WebDAV, another Vitrine; also in your local network.",
      },
      disk: { label: "On the disk of this server", hint: "A folder or an archive below IMPORT_DIR." },
    },
    kind: "Which program?",
    kinds: { immich: "Immich", webdav: "Nextcloud, ownCloud, WebDAV", vitrine: "Another Vitrine" },
    addressHints: {
      immich: "As you open it in the browser.",
      webdav:
        "As you open it in the browser. For a single folder, or another WebDAV server: the address of the folder.",
      vitrine: "The address of the other site.",
    },
    username: "User name",
    keys: { immich: "API key", webdav: "App password", vitrine: "Password" },
    keyHints: {
      immich:
        "In Immich: Account settings, API keys. It needs asset.read, asset.download, album.read, tag.read, stack.read, sharedLink.read and user.read.",
      webdav: "In Nextcloud: Personal settings, Security, Create new app password.",
      vitrine: "That of an admin brings everything; that of another person what belongs to them.",
    },
    forgotten: "What you enter is sent to that server only. It is not stored, and forgotten when the import has ended.",
    folder: "Folder or archive",
    folderHint: "Below the directory that the variable IMPORT_DIR of this server names. Empty: all of it.",
    refusals: {
      key: (sentence: string) => sentence,
      server: (sentence: string) => sentence,
    },
    waits: "This import waits for the key",
    waitsHint: "Keys are not stored: after a restart, the import needs it again, and goes on where it stopped.",
    resume: "Go on",
    retrying: "The other server does not respond. It is tried again in a while…",
    readingServer: "The other server is being read…",
    tryingServer: "The other server is being read. Nothing is changed…",
    authors: "Who has written it?",
    authorsHint:
      "Posts and comments get these accounts as authors. Nobody can sign in to a new account before it gets a password.",
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
