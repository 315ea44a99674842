import { gallery } from "./gallery/theme.ts";
import { magazine } from "./magazine/theme.ts";
import { plain } from "./plain/theme.ts";
import type { ThemeName } from "../../core/settings/settings.ts";
import type { Theme } from "./theme.ts";

/** The themes, by their names in the settings. Each is a folder with a `theme.ts` and a `theme.css`. */
export const themes: Record<ThemeName, Theme> = { magazine, gallery, plain };
