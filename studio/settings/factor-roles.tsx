import { useId } from "react";
import { CheckField } from "../ui/field.tsx";
import type { SectionState } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";

const roles = ["reader", "author", "admin"] as const;

/** The roles that need a second factor. */
export function FactorRoles({ state: { values, set, propsOf } }: { state: SectionState }) {
  const id = useId();
  const { hint, error } = propsOf("factorRoles", t.factorHint);
  const chosen = values.factorRoles;
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}>
      <legend className="mb-1 font-medium">{t.factorRoles}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {roles.map((role) => (
          <CheckField
            key={role}
            label={t.factorRole[role]}
            checked={chosen.includes(role)}
            onChange={({ target }) =>
              set({ factorRoles: roles.filter((one) => (one === role ? target.checked : chosen.includes(one))) })
            }
          />
        ))}
      </div>
      <p id={`${id}-hint`} className="text-sm text-soft">
        {hint}
      </p>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {t.factorMissing}
        </p>
      )}
    </fieldset>
  );
}
