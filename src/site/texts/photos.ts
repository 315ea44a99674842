import type { Translated } from "../language.ts";

const en = {
  title: "Photos",
  video: "Video",
  motion: "Live",
  private: "Private",
};

const de: typeof en = {
  title: "Fotos",
  video: "Video",
  motion: "Live",
  private: "Privat",
};

export const photoTexts: Translated<typeof en> = { en, de };
