import type { Settings } from "../../../../client/src/index.ts";
import { TextArea } from "../ui/field.tsx";
import { Choices } from "./choices.tsx";
import { Section } from "./section.tsx";
import { useSection, variableOf } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";
import { ThemePreview } from "./theme-preview.tsx";

const themes = ["magazine", "gallery", "plain"] as const;

/** How the site looks. A theme is shown before it is saved. */
export function LookSection({ saved }: { saved: Settings }) {
  const state = useSection("look", saved);
  const { values, set, errorOf, isFixed } = state;
  return (
    <Section title={t.look} state={state}>
      <div className="grid gap-5 lg:grid-cols-[16rem_1fr]">
        <Choices
          name="theme"
          label={t.theme}
          value={values.theme}
          isFixed={isFixed("theme")}
          options={themes.map((value) => ({ value, ...t.themes[value] }))}
          onChange={(theme) => set({ theme })}
        />
        <ThemePreview theme={values.theme} />
      </div>
      <TextArea
        label={t.customCSS}
        rows={6}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        className="font-mono text-sm"
        value={values.customCSS}
        disabled={isFixed("customCSS")}
        hint={isFixed("customCSS") ? t.fixed(variableOf("customCSS")) : t.customCSSHint}
        error={errorOf("customCSS")}
        onChange={({ target }) => set({ customCSS: target.value })}
      />
    </Section>
  );
}
