import type { Translated } from "../language.ts";

const en = {
  title: "Blog",
  description: "All posts, newest first.",
  empty: "No posts have been published yet.",
  emptyPage: "There are no posts on this page.",
  readingTime: (minutes: number) => `${minutes} min read`,
  published: "Published",
  updated: "Updated",
  contents: "Contents",
  linkTo: "Link to this section",
  pictureOn: (host: string) => `Image on ${host}`,
  taskDone: "Done",
  taskOpen: "Not done",
  draft: "Draft",
  draftNote: "Only you and admins can see this draft.",
  scheduled: "Scheduled",
  scheduledNote: (time: string, kind: "post" | "page") =>
    `This ${kind} will be published on ${time}. Until then, only you and admins can see it.`,
  private: "Private",
  privateNote: (kind: "post" | "page") => `Only you and admins can see this ${kind}.`,
  hidden: {
    photo: "Readers cannot see the photo here: it is private.",
    album: "Readers cannot see the album here: it is private.",
    file: "Readers cannot see the file here: it is private.",
  },
  hiddenPhotos: (count: number) =>
    count === 1
      ? "Readers cannot see 1 photo of this album: it is private."
      : `Readers cannot see ${count} photos of this album: they are private.`,
  previousPost: "Previous post",
  nextPost: "Next post",
  author: "About the author",
  otherPosts: "Other posts",
  tagged: (tag: string) => `Posts and photos with the tag “${tag}”.`,
  nothingTagged: "No public posts or photos have this tag.",
  posts: "Posts",
  photos: "Photos",
  newerPhotos: "Newer photos",
  olderPhotos: "Older photos",
};

const de: typeof en = {
  title: "Blog",
  description: "Alle Beiträge, die neuesten zuerst.",
  empty: "Es wurden noch keine Beiträge veröffentlicht.",
  emptyPage: "Auf dieser Seite gibt es keine Beiträge.",
  readingTime: (minutes) => `${minutes} Min. Lesezeit`,
  published: "Veröffentlicht",
  updated: "Aktualisiert",
  contents: "Inhalt",
  linkTo: "Link zu diesem Abschnitt",
  pictureOn: (host) => `Bild auf ${host}`,
  taskDone: "Erledigt",
  taskOpen: "Nicht erledigt",
  draft: "Entwurf",
  draftNote: "Nur Sie und Administratoren können diesen Entwurf sehen.",
  scheduled: "Geplant",
  scheduledNote: (time, kind) =>
    `${kind === "page" ? "Diese Seite" : "Dieser Beitrag"} wird am ${time} veröffentlicht. Bis dahin können nur Sie und Administratoren ${kind === "page" ? "sie" : "ihn"} sehen.`,
  private: "Privat",
  privateNote: (kind) =>
    `Nur Sie und Administratoren können ${kind === "page" ? "diese Seite" : "diesen Beitrag"} sehen.`,
  hidden: {
    photo: "Leser sehen das Foto nicht, das hier steht: Es ist privat.",
    album: "Leser sehen das Album nicht, das hier steht: Es ist privat.",
    file: "Leser sehen die Datei nicht, die hier steht: Sie ist privat.",
  },
  hiddenPhotos: (count) =>
    count === 1
      ? "Leser sehen 1 Foto dieses Albums nicht: Es ist privat."
      : `Leser sehen ${count} Fotos dieses Albums nicht: Sie sind privat.`,
  previousPost: "Voriger Beitrag",
  nextPost: "Nächster Beitrag",
  author: "Wer das geschrieben hat",
  otherPosts: "Weitere Beiträge",
  tagged: (tag) => `Beiträge und Fotos mit dem Schlagwort „${tag}“.`,
  nothingTagged: "Kein öffentlicher Beitrag und kein öffentliches Foto hat dieses Schlagwort.",
  posts: "Beiträge",
  photos: "Fotos",
  newerPhotos: "Neuere Fotos",
  olderPhotos: "Ältere Fotos",
};

export const blogTexts: Translated<typeof en> = { en, de };
