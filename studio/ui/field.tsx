import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

type Common = { label: string; hint?: ReactNode; error?: string | null | undefined };

type FieldProps = Common & {
  children: (control: {
    id: string;
    "aria-describedby"?: string;
    "aria-invalid"?: true;
    className: string;
  }) => ReactNode;
};

/** A label, a control, and what is to know or wrong about it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = error || hint ? `${id}-about` : undefined;
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(about && { "aria-describedby": about }),
        ...(error && { "aria-invalid": true as const }),
        className: "control w-full",
      })}
      {about && (
        <p
          id={about}
          role={error ? "alert" : undefined}
          className={classes("text-sm", error ? "text-danger" : "text-soft")}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}

export const TextField = ({ label, hint, error, className, ...rest }: Common & ComponentProps<"input">) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <input type="text" {...rest} {...control} className={classes(control.className, className)} />}
  </Field>
);

export const TextArea = ({ label, hint, error, className, ...rest }: Common & ComponentProps<"textarea">) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <textarea rows={4} {...rest} {...control} className={classes(control.className, className)} />}
  </Field>
);

type Option = { value: string; label: string };
type SelectProps = Common & Omit<ComponentProps<"select">, "children"> & { options: Option[] };

export const SelectField = ({ label, hint, error, options, ...rest }: SelectProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <select {...rest} {...control}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type CheckProps = { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<"input">, "type">;

/** `role="switch"` for what takes effect at once. */
export function CheckField({ label, hint, className, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={classes("flex items-start gap-3", className)}>
      <input
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** Several with the same `name` are one choice. */
export const RadioField = ({ label, hint, className, ...rest }: CheckProps) => (
  <label className={classes("flex items-start gap-3", className)}>
    <input type="radio" {...rest} className="mt-0.5 size-5 shrink-0 accent-accent" />
    <span>
      {label}
      {hint && <span className="block text-sm text-soft">{hint}</span>}
    </span>
  </label>
);
