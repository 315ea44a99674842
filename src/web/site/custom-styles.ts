import type { Settings } from "../../core/settings/settings.ts";
import { accentStyles } from "../themes/accent.ts";

/** What the owner has changed in the theme: the accent colour, and custom styles. "" for nothing. */
export const customStylesOf = ({ theme, accentColour, customCSS }: Settings): string =>
  (accentColour === null ? "" : `${accentStyles(theme, accentColour)}\n`) + customCSS;
