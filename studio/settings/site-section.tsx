import type { Settings } from "../../client/src/index.ts";
import { language as ownLanguage } from "../lib/language.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { IconField } from "./picture-field.tsx";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";

export function SiteSection({ saved }: { saved: Settings }) {
  const state = useSection("site", saved);
  const { values, set, propsOf } = state;
  return (
    <Section title={t.site} state={state}>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField
          label={t.siteName}
          value={values.siteName}
          maxLength={100}
          {...propsOf("siteName")}
          onChange={({ target }) => set({ siteName: target.value })}
        />
        <SelectField
          label={t.language}
          value={values.language}
          {...propsOf("language", t.languageHint)}
          onChange={({ target }) => set({ language: target.value })}
          options={[...new Set([saved.language, ...languages])]
            .map((value) => ({ value, label: nameOf(value) }))
            .toSorted(byLabel)}
        />
      </div>
      <TextField
        label={t.tagline}
        value={values.tagline}
        maxLength={300}
        {...propsOf("tagline", t.taglineHint)}
        onChange={({ target }) => set({ tagline: target.value })}
      />
      <IconField
        fileID={values.iconFileID}
        isSaved={values.iconFileID === saved.iconFileID}
        {...propsOf("iconFileID", t.iconHint)}
        onChange={(iconFileID) => set({ iconFileID })}
      />
    </Section>
  );
}

const languages = (
  "ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl " +
  "sr sv sw ta th tr uk ur vi zh-Hans zh-Hant"
).split(" ");

const names = new Intl.DisplayNames(ownLanguage, { type: "language" });

function nameOf(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const byLabel = (one: { label: string }, other: { label: string }) => one.label.localeCompare(other.label, ownLanguage);
