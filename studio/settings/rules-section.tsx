import type { Settings } from "../../client/src/index.ts";
import { CheckField } from "../ui/field.tsx";
import { Choices } from "./choices.tsx";
import { FactorRoles } from "./factor-roles.tsx";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";

const switches = ["approveFirstComments", "photoComments", "hearts"] as const;

/** Who may sign up, and what is public. */
export function RulesSection({ saved }: { saved: Settings }) {
  const state = useSection("rules", saved);
  const { values, set, propsOf } = state;
  return (
    <Section title={t.rules} state={state}>
      <div className="grid gap-5 md:grid-cols-2">
        <Choices state={state} name="signupRole" label={t.signupRole} options={t.signupRoles} />
        <Choices state={state} name="passwordRule" label={t.passwordRule} options={t.passwordRules} />
        <Choices state={state} name="defaultVisibility" label={t.defaultVisibility} options={t.visibilities} />
        <Choices state={state} name="originalVisibility" label={t.originalVisibility} options={t.originals} />
      </div>
      <FactorRoles state={state} />
      {switches.map((name) => (
        <CheckField
          key={name}
          label={t.switches[name].label}
          {...propsOf(name, t.switches[name].hint)}
          checked={values[name]}
          onChange={({ target }) => set({ [name]: target.checked })}
        />
      ))}
    </Section>
  );
}
