/** @jsxImportSource hono/jsx */

type FieldProps = {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  /** Attributes of the input. */
  input: Record<string, string | number | boolean>;
};

/** A labelled input, with a hint and what is wrong with its value. */
export function Field({ name, label, value, hint, error, input }: FieldProps) {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={value}
        aria-describedby={described || undefined}
        aria-invalid={error ? "true" : undefined}
        required
        {...input}
      />
      {hint ? (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

export const usernameInput = { autocomplete: "username", autocapitalize: "none", spellcheck: "false", maxlength: 64 };
export const passwordInput = { type: "password", autocomplete: "current-password", maxlength: 256 };

/** The input for a new password, and what to know about it. */
export const newPasswordField = (
  isStrong: boolean,
  { strongHint, anyHint }: Record<"strongHint" | "anyHint", string>,
) => ({
  hint: isStrong ? strongHint : anyHint,
  input: { ...passwordInput, autocomplete: "new-password", ...(isStrong && { minlength: 8 }) },
});
