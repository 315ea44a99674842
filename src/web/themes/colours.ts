import { readFileSync } from "node:fs";
import { programRoot } from "../../platform/program-root.ts";
import type { ThemeName } from "../../core/settings/settings.ts";

const names = ["paper", "tint", "ink", "soft", "accent"] as const;

type Colours = Record<(typeof names)[number], string>;

/** Whether headings, and the texts of posts, have the serif. */
type Fonts = { isSerif: boolean; hasSerifText: boolean };

const known = new Map<ThemeName, Colours & Fonts>();

/** The colours of a theme in the light, and its fonts, from its styles: for pictures that the server draws, and for what pages load first. */
export function coloursOf(theme: ThemeName): Colours & Fonts {
  let colours = known.get(theme);
  if (!colours) known.set(theme, (colours = readColours(theme)));
  return colours;
}

function readColours(theme: ThemeName): Colours & Fonts {
  const light = ["src/web/design/tokens.css", `src/web/themes/${theme}/theme.css`]
    .map((path) => readFileSync(new URL(path, programRoot), "utf8").split("@media", 1)[0])
    .join("\n");
  // Of several declarations, the last one counts.
  const values = new Map(light.split("\n").map((line) => line.trim().replace(";", "").split(": ") as [string, string]));
  const colours = Object.fromEntries(names.map((name) => [name, values.get(`--${name}`)])) as Colours;
  const isSerif = (name: string) => values.get(name) === "var(--serif)";
  return { ...colours, isSerif: isSerif("--heading"), hasSerifText: isSerif("--prose") };
}
