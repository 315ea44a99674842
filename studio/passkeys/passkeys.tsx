import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey } from "../../client/src/index.ts";
import { RecoveryCodesDialog } from "../factors/recovery-codes.tsx";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { meQuery } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { canMakePasskeys, explainNotMade, makePasskey, needsConfirmation } from "./make-passkey.ts";
import { RemoveDialog, RenameDialog } from "./passkey-dialogs.tsx";
import { PasskeyLine } from "./passkey-line.tsx";
import { passkeyTexts as t } from "./texts.ts";

/** What is open: the recovery codes, a dialog for a passkey, or the question for the password, after which it goes on. */
type Open = { codes: string[] } | { rename: Passkey } | { remove: Passkey } | { goOn: () => void } | null;

/** The passkeys of the person. */
export function Passkeys() {
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const listed = useQuery({ queryKey: ["passkeys"], queryFn: ({ signal }) => api.listPasskeys({}, { signal }) });
  const reload = async () => {
    for (const key of ["passkeys", "factors", "attention"]) await queries.invalidateQueries({ queryKey: [key] });
  };
  /** A person who had to set up a second factor sees the studio only after the codes were saved. */
  const finish = () => {
    close();
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const add = useMutation({
    mutationFn: makePasskey,
    onSuccess({ name, recoveryCodes }) {
      showToast({ text: t.added(name) });
      if (recoveryCodes) setOpen({ codes: recoveryCodes });
      else finish();
    },
    onError(error) {
      if (needsConfirmation(error)) setOpen({ goOn: () => add.mutate() });
    },
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => api.removePasskey({ id }),
    onSuccess(_, { name }) {
      showToast({ text: t.removed(name) });
      finish();
    },
    onError(error, passkey) {
      if (needsConfirmation(error)) setOpen({ goOn: () => remove.mutate(passkey) });
      else showToast({ text: explain(error), isFailure: true });
    },
    onSettled: reload,
  });
  const failure = add.error && !needsConfirmation(add.error) ? explainNotMade(add.error) : null;

  return (
    <Card>
      <h2 className="mb-1 text-lg font-semibold">{t.passkeys}</h2>
      <p className="text-sm text-soft">{t.hint}</p>
      <Result of={listed}>
        {(passkeys) => (
          <ul className="divide-y divide-line">
            {passkeys.map((passkey) => (
              <PasskeyLine
                key={passkey.id}
                passkey={passkey}
                onRename={() => setOpen({ rename: passkey })}
                onRemove={() => setOpen({ remove: passkey })}
              />
            ))}
          </ul>
        )}
      </Result>
      {canMakePasskeys() ? (
        <Button className="mt-3" isBusy={add.isPending} onClick={() => add.mutate()}>
          {t.add}
        </Button>
      ) : (
        <p className="mt-3 text-sm">{t.unsupported}</p>
      )}
      {failure && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {failure}
        </p>
      )}
      {open && "codes" in open && <RecoveryCodesDialog codes={open.codes} onClose={finish} />}
      {open && "rename" in open && <RenameDialog passkey={open.rename} onClose={close} />}
      {open && "remove" in open && (
        <RemoveDialog
          passkey={open.remove}
          isBusy={remove.isPending}
          onRemove={() => remove.mutate(open.remove)}
          onClose={close}
        />
      )}
      {open && "goOn" in open && (
        <ConfirmDialog
          onClose={close}
          onConfirmed={() => {
            close();
            open.goOn();
          }}
        />
      )}
    </Card>
  );
}
