import type { Translated } from "../language.ts";

const en = {
  allFeed: "Posts and photos",
  postFeed: "Posts",
  photoFeed: "Photos",
  albums: "Albums",
  pages: "Pages",
  feeds: "Feeds",
  apiPage: "Description of the API",
  people: (username: string) => `Posts and photos by ${username}`,
};

const de: typeof en = {
  allFeed: "Beiträge und Fotos",
  postFeed: "Beiträge",
  photoFeed: "Fotos",
  albums: "Alben",
  pages: "Seiten",
  feeds: "Feeds",
  apiPage: "Beschreibung der API",
  people: (username) => `Beiträge und Fotos von ${username}`,
};

export const webTexts: Translated<typeof en> = { en, de };
