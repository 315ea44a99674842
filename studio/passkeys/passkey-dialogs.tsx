import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { passkeyTexts as t } from "./texts.ts";

type Props = { passkey: Passkey; onClose: () => void };

export function RenameDialog({ passkey, onClose }: Props) {
  const queries = useQueryClient();
  const [name, setName] = useState(passkey.name);
  const [isTried, setIsTried] = useState(false);
  const rename = useMutation({
    mutationFn: () => api.renamePasskey({ id: passkey.id, name: name.trim() }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ["passkeys"] }),
  });
  return (
    <Dialog
      title={words.rename}
      onClose={onClose}
      onSubmit={() => {
        setIsTried(true);
        if (name.trim()) rename.mutate();
      }}
      submit={{ label: words.save, isBusy: rename.isPending }}
    >
      <TextField
        label={words.name}
        error={isTried && !name.trim() ? t.nameMissing : undefined}
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </Dialog>
  );
}

type RemoveProps = Props & { isBusy: boolean; onRemove: () => void };

export function RemoveDialog({ passkey, isBusy, onRemove, onClose }: RemoveProps) {
  return (
    <Dialog
      title={t.removeTitle(passkey.name)}
      onClose={onClose}
      onSubmit={onRemove}
      submit={{ label: words.remove, isDanger: true, isBusy }}
    >
      <p>{t.removeText}</p>
    </Dialog>
  );
}
