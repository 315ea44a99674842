import type { Translated } from "../language.ts";

const en = {
  allFeed: "Posts and photos",
  postFeed: "Posts",
  photoFeed: "Photos",
  albums: "Albums",
  pages: "Pages",
  feeds: "Feeds",
  apiPage: "API documentation",
  readOn: "Read the whole post",
  people: (username: string) => `Posts and photos by ${username}`,
  /** The description of a page that has none of its own. */
  about: (title: string | null, site: string) =>
    title === null ? `Posts, photos and albums on ${site}` : `“${title}” on ${site}`,
};

const de: typeof en = {
  allFeed: "Beiträge und Fotos",
  postFeed: "Beiträge",
  photoFeed: "Fotos",
  albums: "Alben",
  pages: "Seiten",
  feeds: "Feeds",
  apiPage: "Beschreibung der API",
  readOn: "Den ganzen Beitrag lesen",
  people: (username) => `Beiträge und Fotos von ${username}`,
  about: (title, site) => (title === null ? `Beiträge, Fotos und Alben auf ${site}` : `„${title}“ auf ${site}`),
};

export const webTexts: Translated<typeof en> = { en, de };
