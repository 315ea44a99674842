import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { useMe } from "../lib/me.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { needsConfirmation } from "./make-passkey.ts";
import { passkeyTexts as t } from "./texts.ts";

type Props = { onConfirmed: () => void; onClose: () => void };

/** Asks for the password before something that protects the account is changed. */
export function ConfirmDialog({ onConfirmed, onClose }: Props) {
  const { username } = useMe();
  const [password, setPassword] = useState("");
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => api.confirmSession({ password }),
    onSuccess: onConfirmed,
    // It stands at the field.
    onError() {},
  });
  return (
    <Dialog
      title={t.confirmTitle}
      onClose={onClose}
      onSubmit={() => mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="main" isBusy={isPending} disabled={password === ""}>
            {t.proceed}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>{t.confirmText}</p>
        {/* So that password managers know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <TextField
          type="password"
          label={t.password}
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => {
            setPassword(target.value);
            reset();
          }}
          error={error && (needsConfirmation(error) ? t.wrongPassword : explain(error))}
        />
      </div>
    </Dialog>
  );
}
