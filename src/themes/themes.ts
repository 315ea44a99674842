import { gallery } from "./gallery/theme.ts";
import { magazine } from "./magazine/theme.ts";
import { plain } from "./plain/theme.ts";

/** The themes, by their names in the settings. Each is a folder with a `theme.ts` and a `theme.css`. */
export const themes = { magazine, gallery, plain };

export type ThemeName = keyof typeof themes;
export const themeNames = Object.keys(themes) as [ThemeName, ...ThemeName[]];
