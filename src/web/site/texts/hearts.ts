import type { Translated } from "../language.ts";

const en = { heart: "Heart", thanks: "Thank you. Press again to take your heart back." };
const de: typeof en = { heart: "Herz", thanks: "Danke. Ein weiterer Klick nimmt Ihr Herz zurück." };

export const heartTexts: Translated<typeof en> = { en, de };
