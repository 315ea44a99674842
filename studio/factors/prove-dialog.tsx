import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../lib/me.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
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
  const { username } = useMe();
  const [proof, setProof] = useState<Proof>({ password: "", code: "" });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => act(proof),
    onSuccess: onDone,
    onError() {},
  });
  const wrong = explainRefusal(error);
  const change = (name: keyof Proof) => (event: { target: { value: string } }) => {
    setProof({ ...proof, [name]: event.target.value });
    reset();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            variant={isDanger ? "danger" : "main"}
            isBusy={isPending}
            disabled={proof.password === "" || (needsCode && proof.code === "")}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>{about}</p>
        {/* So that password managers know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <TextField
          type="password"
          label={t.password}
          autoComplete="current-password"
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
            onChange={change("code")}
            error={wrong.code ?? wrong.other}
          />
        )}
      </div>
    </Dialog>
  );
}
