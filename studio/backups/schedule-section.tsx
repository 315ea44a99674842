import type { Settings } from "../../client/src/index.ts";
import { Section } from "../settings/section.tsx";
import { useSection } from "../settings/settings.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { backupTexts as t } from "./texts.ts";

const everys = ["day", "week", "never"] as const;
const kept = ["days", "weeks", "months"] as const;

/** How often the server makes a backup, and which it keeps. */
export function ScheduleSection({ saved }: { saved: Settings }) {
  const state = useSection("backups", saved);
  const { values, set, propsOf } = state;
  const { hint, error, disabled } = propsOf("backupsKept", t.keptHint);
  return (
    <Section title={t.schedule} state={state}>
      <SelectField
        label={t.every}
        value={values.backupEvery}
        {...propsOf("backupEvery")}
        onChange={({ target }) => set({ backupEvery: target.value as Settings["backupEvery"] })}
        options={everys.map((value) => ({ value, label: t.everys[value] }))}
      />
      <fieldset disabled={disabled} className="grid gap-2">
        <legend className="mb-2 font-medium">{t.kept}</legend>
        <div className="grid grid-cols-3 gap-3">
          {kept.map((name) => (
            <TextField
              key={name}
              label={t[name]}
              type="number"
              min={0}
              inputMode="numeric"
              value={String(values.backupsKept[name])}
              onChange={({ target }) =>
                set({ backupsKept: { ...values.backupsKept, [name]: Math.trunc(target.valueAsNumber) || 0 } })
              }
            />
          ))}
        </div>
        <p role={error ? "alert" : undefined} className={error ? "text-sm text-danger" : "text-sm text-soft"}>
          {error ?? hint}
        </p>
      </fieldset>
    </Section>
  );
}
