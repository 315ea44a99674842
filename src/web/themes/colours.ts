import { readFileSync } from "node:fs";
import { programRoot } from "../../platform/program-root.ts";
import type { ThemeName } from "../../core/settings/settings.ts";

const names = ["paper", "surface", "tint", "ink", "soft", "accent"] as const;

type Mode = "light" | "dark";
type Colours = Record<(typeof names)[number], string>;

/** Whether headings, and the texts of posts, have the serif. */
type Fonts = { isSerif: boolean; hasSerifText: boolean };

const known = new Map<string, Colours & Fonts>();

/** The colours and fonts of a theme, from its styles: for pictures that the server draws, and for what pages load first. */
export function coloursOf(theme: ThemeName, mode: Mode = "light"): Colours & Fonts {
  const key = `${theme} ${mode}`;
  let colours = known.get(key);
  if (!colours) known.set(key, (colours = readColours(theme, mode)));
  return colours;
}

function readColours(theme: ThemeName, mode: Mode): Colours & Fonts {
  const lines = ["src/web/design/tokens.css", `src/web/themes/${theme}/theme.css`].flatMap((path) => {
    const text = readFileSync(new URL(path, programRoot), "utf8");
    const dark = text.split("@media (prefers-color-scheme: dark) {")[1]?.split("\n}")[0] ?? "";
    return [text.split("@media", 1)[0] ?? "", ...(mode === "dark" ? [dark] : [])].join("\n").split("\n");
  });
  // Of several declarations, the last one counts.
  const values = new Map(lines.map((line) => line.trim().replace(";", "").split(": ") as [string, string]));
  const colours = Object.fromEntries(names.map((name) => [name, values.get(`--${name}`)])) as Colours;
  const isSerif = (name: string) => values.get(name) === "var(--serif)";
  return { ...colours, isSerif: isSerif("--heading"), hasSerifText: isSerif("--prose") };
}
