import type { Settings } from "../../client/src/index.ts";
import { Button } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";
import { SitePhotoField } from "./picture-field.tsx";
import { settingsTexts as t } from "./texts.ts";
import { ThemePicker } from "./theme-picker.tsx";

/** How the site looks, which is shown before it is saved. */
export function LookSection({ saved }: { saved: Settings }) {
  const state = useSection("look", saved);
  const { values, set, propsOf } = state;
  return (
    <Section title={t.look} state={state}>
      <ThemePicker state={state} saved={saved} />
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          type="color"
          label={t.accent}
          className="max-w-24 p-1"
          value={values.accentColour ?? "#0a6a55"}
          {...propsOf("accentColour", values.accentColour === null ? t.accentOfTheme : t.accentHint)}
          onChange={({ target }) => set({ accentColour: target.value })}
        />
        {values.accentColour !== null && (
          <Button variant="quiet" onClick={() => set({ accentColour: null })}>
            {t.removeAccent}
          </Button>
        )}
      </div>
      <SitePhotoField
        texts={t.logo}
        isWhole
        photoID={values.logoPhotoID}
        {...propsOf("logoPhotoID", t.logoHint)}
        onChange={(logoPhotoID) => set({ logoPhotoID })}
      />
      <SitePhotoField
        texts={t.cover}
        photoID={values.coverPhotoID}
        {...propsOf("coverPhotoID", t.coverHint)}
        onChange={(coverPhotoID) => set({ coverPhotoID })}
      />
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
