import type { Settings } from "../../../../client/src/index.ts";
import { CheckField } from "../ui/field.tsx";
import { Choices } from "./choices.tsx";
import { Section } from "./section.tsx";
import { useSection, variableOf } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";

/** Who may sign up, and what is public. */
export function RulesSection({ saved }: { saved: Settings }) {
  const state = useSection("rules", saved);
  const { values, set, isFixed } = state;
  return (
    <Section title={t.rules} state={state}>
      <div className="grid gap-5 md:grid-cols-2">
        <Choices
          name="signupRole"
          label={t.signupRole}
          value={values.signupRole}
          isFixed={isFixed("signupRole")}
          options={(["closed", "reader", "author"] as const).map((value) => ({ value, ...t.signupRoles[value] }))}
          onChange={(signupRole) => set({ signupRole })}
        />
        <Choices
          name="defaultVisibility"
          label={t.defaultVisibility}
          value={values.defaultVisibility}
          isFixed={isFixed("defaultVisibility")}
          options={(["public", "private"] as const).map((value) => ({ value, ...t.visibilities[value] }))}
          onChange={(defaultVisibility) => set({ defaultVisibility })}
        />
      </div>
      <CheckField
        label={t.approveFirstComments}
        hint={isFixed("approveFirstComments") ? t.fixed(variableOf("approveFirstComments")) : t.approveHint}
        checked={values.approveFirstComments}
        disabled={isFixed("approveFirstComments")}
        onChange={({ target }) => set({ approveFirstComments: target.checked })}
      />
    </Section>
  );
}
