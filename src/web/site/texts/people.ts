import type { Translated } from "../language.ts";

const en = {
  since: "Here since",
  posts: "Posts",
  photos: "Photos",
  albums: "Albums",
  nothing: (username: string) => `${username} has not published anything yet.`,
};

const de: typeof en = {
  since: "Dabei seit",
  posts: "Beiträge",
  photos: "Fotos",
  albums: "Alben",
  nothing: (username) => `${username} hat noch nichts veröffentlicht.`,
};

export const peopleTexts: Translated<typeof en> = { en, de };
