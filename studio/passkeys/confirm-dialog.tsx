import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { OwnPasswordField } from "../ui/own-password-field.tsx";
import { needsConfirmation } from "./make-passkey.ts";
import { passkeyTexts as t } from "./texts.ts";

type Props = { onConfirmed: () => void; onClose: () => void };

/** Asks for the password before something that protects the account is changed. */
export function ConfirmDialog({ onConfirmed, onClose }: Props) {
  const [password, setPassword] = useState("");
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => api.confirmSession({ password }),
    onSuccess: onConfirmed,
    // It is shown at the field.
    onError() {},
  });
  return (
    <Dialog
      title={t.confirmTitle}
      onClose={onClose}
      onSubmit={() => mutate()}
      submit={{ label: t.proceed, isBusy: isPending, isDisabled: password === "" }}
    >
      <div className="grid gap-4">
        <p>{t.confirmText}</p>
        <OwnPasswordField
          required
          value={password}
          onChange={(value) => {
            setPassword(value);
            reset();
          }}
          error={error && (needsConfirmation(error) ? words.wrongPassword : explain(error))}
        />
      </div>
    </Dialog>
  );
}
