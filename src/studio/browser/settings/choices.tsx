import { type Name, variableOf } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";

type Option<Value> = { value: Value; label: string; hint: string };
type Props<Value> = {
  name: Name;
  label: string;
  value: Value;
  options: Option<Value>[];
  isFixed: boolean;
  onChange: (value: Value) => void;
};

/** One of a few values, each with a sentence about it. */
export const Choices = <Value extends string>({ name, label, value, options, isFixed, onChange }: Props<Value>) => (
  <fieldset className="grid content-start gap-2" disabled={isFixed}>
    <legend className="mb-2 font-medium">{label}</legend>
    {options.map((option) => (
      <label
        key={option.value}
        className="flex items-start gap-3 rounded-control border border-line px-3 py-2.5 hover:bg-tint has-checked:border-accent has-disabled:hover:bg-transparent"
      >
        <input
          type="radio"
          name={name}
          className="mt-0.5 size-5 shrink-0 accent-accent"
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
        <span>
          {option.label}
          <span className="block text-sm text-soft">{option.hint}</span>
        </span>
      </label>
    ))}
    {isFixed && <p className="text-sm text-soft">{t.fixed(variableOf(name))}</p>}
  </fieldset>
);
