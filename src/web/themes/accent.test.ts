import { expect, test } from "bun:test";
import { themeNames } from "../../core/settings/settings.ts";
import { contrast, fitAccent, parse } from "./accent.ts";
import { coloursOf } from "./colours.ts";

test("texts in any accent colour can be read in every theme, light and dark", () => {
  const accents = ["#000000", "#ffffff", "#ffff00", "#0000ff", "#8a2846", "#808080", "#76d1b7"];
  for (const theme of themeNames) {
    for (const mode of ["light", "dark"] as const) {
      const { paper, surface, tint, accent: own } = coloursOf(theme, mode);
      for (const accent of [...accents, own]) {
        const shown = fitAccent(theme, mode, accent);
        for (const ground of [paper, surface, tint]) expect(contrast(shown, parse(ground))).toBeGreaterThanOrEqual(4.5);
        // The theme's own colour is fine as it is.
        if (accent === own) expect(shown).toEqual(parse(own));
      }
    }
  }
});
