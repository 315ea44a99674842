import { useEffect, useState } from "react";
import type { Settings } from "../../client/src/index.ts";
import { RadioField } from "../ui/field.tsx";
import type { SectionState, Values } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";
import { type Look, ThemePreview } from "./theme-preview.tsx";

/** Every theme with the front page in it, which is loaded again when a setting is saved, or one of the look has changed. */
export function ThemePicker({ state, saved }: { state: SectionState; saved: Settings }) {
  const look = useSteady(lookOf(state.values));
  const { disabled, hint } = state.propsOf("theme");
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="mb-2 font-medium">{t.theme}</legend>
      <div className="grid gap-4 sm:grid-cols-3">
        {(Object.keys(t.themes) as Values["theme"][]).map((theme) => (
          <div key={theme} className="grid content-start gap-2">
            <ThemePreview key={JSON.stringify(saved)} theme={theme} look={look} />
            <RadioField
              name="theme"
              {...t.themes[theme]}
              checked={theme === state.values.theme}
              onChange={() => state.set({ theme })}
              className="rounded-control border border-line px-3 py-2.5 hover:bg-tint has-checked:border-accent has-disabled:hover:bg-transparent"
            />
          </div>
        ))}
      </div>
      <p className="text-sm text-soft">{hint ?? t.previewHint}</p>
    </fieldset>
  );
}

const lookOf = ({ accentColour, logoPhotoID, coverPhotoID }: Values): Look => ({
  accentColour: accentColour ?? "",
  logoPhotoID: String(logoPhotoID ?? ""),
  coverPhotoID: String(coverPhotoID ?? ""),
});

/** The look once it has not changed for a moment: a colour changes many times while it is chosen. */
function useSteady(look: Look): Look {
  const text = JSON.stringify(look);
  const [steady, setSteady] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(text), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(steady) as Look;
}
