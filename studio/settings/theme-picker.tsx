import type { Settings } from "../../client/src/index.ts";
import { RadioField } from "../ui/field.tsx";
import type { SectionState, Values } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";
import { ThemePreview } from "./theme-preview.tsx";

/** Every theme with the front page in it, which is loaded again when a setting is saved. */
export function ThemePicker({ state, saved }: { state: SectionState; saved: Settings }) {
  const { disabled, hint } = state.propsOf("theme");
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="mb-2 font-medium">{t.theme}</legend>
      <div className="grid gap-4 sm:grid-cols-3">
        {(Object.keys(t.themes) as Values["theme"][]).map((theme) => (
          <div key={theme} className="grid content-start gap-2">
            <ThemePreview key={JSON.stringify(saved)} theme={theme} />
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
