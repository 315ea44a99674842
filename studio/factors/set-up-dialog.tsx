import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { words } from "../lib/words.ts";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { OwnPasswordField } from "../ui/own-password-field.tsx";
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
      submit={{
        label: begun ? t.confirm : words.next,
        isBusy: begin.isPending || confirm.isPending,
        isDisabled: (begun ? code : password) === "",
      }}
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
        <OwnPasswordField
          label={words.password}
          value={password}
          onChange={(value) => {
            setPassword(value);
            begin.reset();
          }}
          error={wrong.password ?? wrong.other}
        />
      )}
    </Dialog>
  );
}
