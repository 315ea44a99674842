import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { useMe } from "../lib/me.ts";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { QRCode } from "./qr-code.tsx";
import { explainRefusal } from "./refusal.ts";
import { factorTexts as t } from "./texts.ts";

type Props = {
  /** With the recovery codes, if these are the first ones. */
  onDone: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
};

/** Asks for the password, shows the secret to the app, and asks for its first code. */
export function SetUpDialog({ onDone, onClose }: Props) {
  const { username } = useMe();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const begin = useMutation({ mutationFn: () => api.beginTOTP({ password }), onError() {} });
  const confirm = useMutation({
    mutationFn: () => api.confirmTOTP({ code }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    onError() {},
  });
  const begun = begin.data;
  const wrong = explainRefusal(begun ? confirm.error : begin.error);
  return (
    <Dialog
      title={t.setUpTitle}
      onClose={onClose}
      onSubmit={() => (begun ? confirm.mutate() : begin.mutate())}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            variant="main"
            isBusy={begin.isPending || confirm.isPending}
            disabled={(begun ? code : password) === ""}
          >
            {begun ? t.confirm : t.next}
          </Button>
        </>
      }
    >
      {begun ? (
        <div className="grid gap-4">
          <p>{t.scan}</p>
          <QRCode text={begun.uri} label={t.picture} />
          <CopyField label={t.orType} value={begun.secret} />
          <p className="md:hidden">
            <a className="text-accent underline" href={begun.uri}>
              {t.openApp}
            </a>
          </p>
          <TextField
            label={t.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            autoFocus
            value={code}
            onChange={({ target }) => {
              setCode(target.value);
              confirm.reset();
            }}
            error={wrong.code ?? wrong.other}
          />
        </div>
      ) : (
        <>
          {/* So that password managers know whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <TextField
            type="password"
            label={t.password}
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => {
              setPassword(target.value);
              begin.reset();
            }}
            error={wrong.password ?? wrong.other}
          />
        </>
      )}
    </Dialog>
  );
}
