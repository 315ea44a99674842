import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { OwnPasswordField } from "../ui/own-password-field.tsx";
import { explainRefusal } from "./refusal.ts";
import { factorTexts as t } from "./texts.ts";

type Proof = { password: string; code: string };
type Props<Result> = {
  title: string;
  about: string;
  action: string;
  isDanger?: boolean;
  /** Whether there is an app whose code is needed, besides the password. */
  needsCode: boolean;
  act: (proof: Proof) => Promise<Result>;
  onDone: (result: Result) => void;
  onClose: () => void;
};

/** Asks for the password and a code before something is done that makes the account less safe. */
export function ProveDialog<Result>(props: Props<Result>) {
  const { title, about, action, isDanger = false, needsCode, act, onDone, onClose } = props;
  const [proof, setProof] = useState<Proof>({ password: "", code: "" });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => act(proof),
    onSuccess: onDone,
    onError() {},
  });
  const wrong = explainRefusal(error);
  const change = (name: keyof Proof) => (value: string) => {
    setProof({ ...proof, [name]: value });
    reset();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => mutate()}
      submit={{
        label: action,
        isDanger,
        isBusy: isPending,
        isDisabled: proof.password === "" || (needsCode && proof.code === ""),
      }}
    >
      <div className="grid gap-4">
        <p>{about}</p>
        <OwnPasswordField
          label={words.password}
          value={proof.password}
          onChange={change("password")}
          error={wrong.password ?? (needsCode ? undefined : wrong.other)}
        />
        {needsCode && (
          <TextField
            label={t.appOrRecovery}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            value={proof.code}
            onChange={({ target }) => change("code")(target.value)}
            error={wrong.code ?? wrong.other}
          />
        )}
      </div>
    </Dialog>
  );
}
