import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../lib/api.ts";
import { useMe } from "../lib/me.ts";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { isChosen, type KeyLimit, LimitField, noLimit, toIDs } from "./limit-field.tsx";
import { labelOf, type Scope } from "./scope-label.ts";
import { keyTexts as t } from "./texts.ts";

const day = 24 * 3_600_000;
const spans = [30, 90, 365];
const offered: Scope[] = ["read", "photos:write", "files:write", "blog:write", "comments:write", "dav"];
/** Other scopes mean nothing there. */
const within: Record<KeyLimit["where"], (scope: Scope) => boolean> = {
  everywhere: () => true,
  directory: (scope) => ["read", "files:write", "dav"].includes(scope),
  album: (scope) => ["read", "photos:write"].includes(scope),
};

/** Makes a key, then shows it once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { role } = useMe();
  const errorID = useId();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Scope[]>(["read"]);
  const [limit, setLimit] = useState(noLimit);
  const [days, setDays] = useState("");
  const [isTried, setIsTried] = useState(false);
  const possible = (role === "admin" ? [...offered, "admin" as const] : offered).filter(within[limit.where]);
  const scopes = chosen.filter((scope) => possible.includes(scope));
  const make = useMutation({
    mutationFn: async () =>
      api.createKey({
        ...(await toIDs(limit)),
        name: name.trim(),
        scopes,
        expiresAt: days === "" ? null : new Date(Date.now() + Number(days) * day).toISOString(),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  const submit = () => {
    setIsTried(true);
    if (name.trim() && scopes.length > 0 && isChosen(limit)) make.mutate();
  };
  if (make.data) {
    return (
      <Dialog title={make.data.name} onClose={onClose} actions={<DoneButton onClick={onClose} />}>
        <p className="mb-4">{t.once}</p>
        <CopyField label={t.key} value={make.data.key} />
      </Dialog>
    );
  }
  const isWithoutScope = isTried && scopes.length === 0;
  return (
    <Dialog title={t.add} onClose={onClose} onSubmit={submit} submit={{ label: t.make, isBusy: make.isPending }}>
      <div className="grid gap-4">
        <TextField
          label={t.name}
          hint={t.nameHint}
          error={isTried && !name.trim() ? t.nameMissing : undefined}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <LimitField limit={limit} isTried={isTried} onChange={setLimit} />
        <fieldset className="grid gap-2" aria-describedby={isWithoutScope ? errorID : undefined}>
          <legend className="mb-1 font-medium">{t.scopes}</legend>
          {possible.map((scope) => (
            <CheckField
              key={scope}
              label={labelOf(scope, limit.where)}
              hint={scope === "admin" ? t.adminHint : undefined}
              checked={chosen.includes(scope)}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />
          ))}
          {isWithoutScope && (
            <p id={errorID} role="alert" className="text-sm text-danger">
              {t.scopeMissing}
            </p>
          )}
        </fieldset>
        <SelectField
          label={t.expires}
          value={days}
          onChange={(event) => setDays(event.target.value)}
          options={[
            { value: "", label: t.never },
            ...spans.map((span) => ({ value: String(span), label: t.days(span) })),
          ]}
        />
      </div>
    </Dialog>
  );
}
