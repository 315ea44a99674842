import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { VitrineError } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { OwnPasswordField } from "../ui/own-password-field.tsx";
import { ownMailQuery } from "./query.ts";
import { mailTexts as t } from "./texts.ts";

/** Asks for a new address, or whether to remove it; both need the password. */
export function AddressDialog({ isRemoval, onClose }: { isRemoval: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const [address, setAddress] = useState("");
  const [password, setPassword] = useState("");
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => api.changeOwnAddress({ address: isRemoval ? null : address.trim(), password }),
    onSuccess(saved) {
      queries.setQueryData(ownMailQuery.queryKey, saved);
      showToast({ text: isRemoval ? t.removed : t.pending(address.trim()) });
      onClose();
    },
    onError() {},
  });
  const field = error instanceof VitrineError ? error.field : undefined;
  const isAboutAddress = field === "address";
  return (
    <Dialog
      title={isRemoval ? words.remove : t.newAddress}
      onClose={onClose}
      onSubmit={() => mutate()}
      submit={{ label: isRemoval ? words.remove : t.send, isBusy: isPending }}
    >
      <div className="grid gap-4">
        {!isRemoval && (
          <TextField
            type="email"
            label={t.newAddress}
            autoComplete="email"
            required
            maxLength={254}
            value={address}
            onChange={(event) => (setAddress(event.target.value), reset())}
            error={isAboutAddress ? t.wrongAddress : null}
          />
        )}
        <OwnPasswordField
          required
          value={password}
          onChange={(value) => (setPassword(value), reset())}
          error={field === "password" ? words.wrongPassword : error && !isAboutAddress ? explain(error) : null}
        />
      </div>
    </Dialog>
  );
}
