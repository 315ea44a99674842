import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { VitrineError } from "../../client/src/index.ts";
import { api, isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { OwnPasswordField } from "../ui/own-password-field.tsx";
import { Card } from "../ui/screen.tsx";
import { accountTexts as t } from "./texts.ts";

/** Shorter ones are never strong. Whether it has to be strong is decided by the server. */
const minStrongLength = 8;

/** Errors are shown below the field that they are about. */
export function PasswordForm() {
  const queries = useQueryClient();
  const [fields, setFields] = useState({ oldPassword: "", newPassword: "" });
  const { mutate, isPending, error, reset, data } = useMutation({
    mutationFn: () => api.changePassword(fields),
    onSuccess() {
      setFields({ oldPassword: "", newPassword: "" });
      showToast({ text: t.changed });
      void queries.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError() {},
  });
  const isWrong = error instanceof VitrineError && error.field === "oldPassword";
  const isWeak = error instanceof VitrineError && error.field === "newPassword";
  const isAboutOld = isWrong || isStatus(error, 429);
  const change = (name: keyof typeof fields) => (value: string) => {
    setFields({ ...fields, [name]: value });
    reset();
  };

  return (
    <Card>
      <h2 className="mb-3 text-lg font-semibold">{words.password}</h2>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <OwnPasswordField
          label={t.oldPassword}
          required
          value={fields.oldPassword}
          onChange={change("oldPassword")}
          error={isWrong ? words.wrongPassword : isAboutOld ? explain(error) : null}
        />
        <TextField
          type="password"
          label={t.newPassword}
          autoComplete="new-password"
          required
          value={fields.newPassword}
          onChange={({ target }) => change("newPassword")(target.value)}
          hint={t.passwordHint}
          error={isWeak ? weaknessOf(fields.newPassword) : error && !isAboutOld ? explain(error) : null}
        />
        {data?.warning && (
          <p role="status" className="text-notice">
            {t.weakPassword}
          </p>
        )}
        <div>
          <Button type="submit" isBusy={isPending}>
            {t.change}
          </Button>
        </div>
      </form>
    </Card>
  );
}

const weaknessOf = (password: string) => (Array.from(password).length < minStrongLength ? t.tooShort : t.easyPassword);
