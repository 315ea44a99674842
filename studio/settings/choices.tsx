import { RadioField } from "../ui/field.tsx";
import type { SectionState, Values } from "./settings.ts";

type Choice = "signupRole" | "passwordRule" | "defaultVisibility" | "originalVisibility";
type Props<Name extends Choice> = {
  state: SectionState;
  name: Name;
  label: string;
  /** In the order in which they are shown. */
  options: Record<Values[Name], { label: string; hint: string }>;
};

/** One of a few values, each with a sentence about it. */
export function Choices<Name extends Choice>({ state, name, label, options }: Props<Name>) {
  const { disabled, hint } = state.propsOf(name);
  return (
    <fieldset className="grid content-start gap-2" disabled={disabled}>
      <legend className="mb-2 font-medium">{label}</legend>
      {(Object.keys(options) as Values[Name][]).map((value) => (
        <RadioField
          key={value}
          name={name}
          {...options[value]}
          checked={value === state.values[name]}
          onChange={() => state.set({ [name]: value })}
          className="rounded-control border border-line px-3 py-2.5 hover:bg-tint has-checked:border-accent has-disabled:hover:bg-transparent"
        />
      ))}
      {hint && <p className="text-sm text-soft">{hint}</p>}
    </fieldset>
  );
}
