import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

export const uploadTexts = translate({
  en: {
    uploads: "Uploads",
    uploading: (done: number, all: number) => `Uploading ${n(done + 1)} of ${n(all)}`,
    paused: (left: number) => `Paused, ${n(left)} left`,
    offline: "No connection. Uploading resumes automatically.",
    over: (count: number) => (count === 1 ? "1 file uploaded" : `${n(count)} files uploaded`),
    incomplete: (count: number) => (count === 1 ? "1 file was not uploaded" : `${n(count)} files were not uploaded`),
    onlyStored: (count: number) =>
      count === 1 ? "1 file is stored, but not as a photo" : `${n(count)} files are stored, but not as photos`,
    left: (bytes: string) => `${bytes} left`,
    pause: "Pause",
    resume: "Continue",
    collapse: "Show less",
    expand: "Show all",
    cancel: (name: string) => `Cancel ${name}`,
    cancelAll: "Cancel all",
    cancelled: (count: number) => (count === 1 ? "1 upload was cancelled." : `${n(count)} uploads were cancelled.`),
    retry: (name: string) => `Try ${name} again`,
    retryAll: "Try failed ones again",
    waiting: "Waiting",
    finished: "Uploaded",
    existing: "Already there",
    lost: "Choose it again",
    chooseAgain: (count: number) =>
      count === 1
        ? "The browser can no longer read 1 file. Choose it again to continue."
        : `The browser can no longer read ${n(count)} files. Choose these files again to continue.`,
    choose: "Choose files",
    drop: "Drop to upload",
    files: "Choose files…",
    folder: "Choose a folder…",
    empty: "What you dropped contains no files.",
    visibleTo: { public: "Everyone can see what you upload.", private: "Only you and admins can see it." },
    byFolder: "Private because of the folder",
    byFolderHint: "Everything in a private folder is private.",
    dropHint: { public: "Everyone can see it", private: "Only you and admins" },
    whoSees: { public: "Public: everyone can see them", private: "Private: only you and admins" },
    mixed: "Some public, some private",
    sharedTitle: (count: number) => (count === 1 ? "1 file from another app" : `${n(count)} files from another app`),
    sharedHint: (count: number): string =>
      count === 1
        ? "It is not uploaded yet. Upload it as a photo?"
        : "They are not uploaded yet. Upload them as photos?",
    sharedUpload: { public: "Upload as public", private: "Upload as private" },
    sharedDiscard: "Discard",
    sharedFailed:
      "Not all files were received: there are too many, or the device has too little space. Share fewer at once, or choose them here.",
  },
  de: {
    uploads: "Uploads",
    uploading: (done, all) => `${n(done + 1)} von ${n(all)} wird hochgeladen`,
    paused: (left) => `Angehalten, noch ${n(left)}`,
    offline: "Keine Verbindung. Es geht von selbst weiter.",
    over: (count) => (count === 1 ? "1 Datei hochgeladen" : `${n(count)} Dateien hochgeladen`),
    incomplete: (count) =>
      count === 1 ? "1 Datei ist nicht hochgeladen" : `${n(count)} Dateien sind nicht hochgeladen`,
    onlyStored: (count) =>
      count === 1
        ? "1 Datei ist gespeichert, aber kein Foto"
        : `${n(count)} Dateien sind gespeichert, aber keine Fotos`,
    left: (bytes) => `noch ${bytes}`,
    pause: "Anhalten",
    resume: "Fortsetzen",
    collapse: "Weniger zeigen",
    expand: "Alle zeigen",
    cancel: (name) => `${name} abbrechen`,
    cancelAll: "Alle abbrechen",
    cancelled: (count) => (count === 1 ? "1 Upload wurde abgebrochen." : `${n(count)} Uploads wurden abgebrochen.`),
    retry: (name) => `${name} noch einmal versuchen`,
    retryAll: "Fehlgeschlagene wiederholen",
    waiting: "Wartet",
    finished: "Hochgeladen",
    existing: "Schon vorhanden",
    lost: "Neu auswählen",
    chooseAgain: (count) =>
      count === 1
        ? "Der Browser hat 1 Datei nicht mehr. Wählen Sie sie noch einmal aus, um fortzufahren."
        : `Der Browser hat ${n(count)} Dateien nicht mehr. Wählen Sie diese Dateien noch einmal aus, um fortzufahren.`,
    choose: "Dateien auswählen",
    drop: "Zum Hochladen loslassen",
    files: "Dateien auswählen …",
    folder: "Ordner auswählen …",
    empty: "Darin ist keine Datei.",
    visibleTo: {
      public: "Alle können sehen, was Sie hochladen.",
      private: "Nur Sie und Administratoren können es sehen.",
    },
    byFolder: "Privat wegen des Ordners",
    byFolderHint: "Was in einem privaten Ordner ist, ist privat.",
    dropHint: { public: "Alle können es sehen", private: "Nur Sie und Administratoren" },
    whoSees: { public: "Öffentlich: Alle können sie sehen", private: "Privat: nur Sie und Administratoren" },
    mixed: "Teils öffentlich, teils privat",
    sharedTitle: (count) =>
      count === 1 ? "1 Datei aus einer anderen App" : `${n(count)} Dateien aus einer anderen App`,
    sharedHint: (count) =>
      count === 1
        ? "Sie ist noch nicht hochgeladen. Als Foto hochladen?"
        : "Sie sind noch nicht hochgeladen. Als Fotos hochladen?",
    sharedUpload: { public: "Öffentlich hochladen", private: "Privat hochladen" },
    sharedDiscard: "Verwerfen",
    sharedFailed:
      "Nicht alle Dateien konnten übernommen werden: Es sind zu viele, oder das Gerät hat zu wenig Platz. Teilen Sie weniger auf einmal, oder wählen Sie sie hier aus.",
  },
});
