import type { Settings } from "../../client/src/index.ts";
import { TextArea } from "../ui/field.tsx";
import { Choices } from "./choices.tsx";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";
import { ThemePreview } from "./theme-preview.tsx";

/** How the site looks. A theme is shown before it is saved. */
export function LookSection({ saved }: { saved: Settings }) {
  const state = useSection("look", saved);
  const { values, set, propsOf } = state;
  return (
    <Section title={t.look} state={state}>
      <div className="grid gap-5 lg:grid-cols-[16rem_1fr]">
        <Choices state={state} name="theme" label={t.theme} options={t.themes} />
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
        {...propsOf("customCSS", t.customCSSHint)}
        onChange={({ target }) => set({ customCSS: target.value })}
      />
    </Section>
  );
}
