import type { Settings } from "../../core/settings/settings.ts";
import { accentStyles } from "../themes/accent.ts";

/** What the owner has changed about the theme: the accent colour, and styles of their own. "" for nothing. */
export const customStylesOf = ({ theme, accentColour, customCSS }: Settings): string =>
  (accentColour === null ? "" : `${accentStyles(theme, accentColour)}\n`) + customCSS;
