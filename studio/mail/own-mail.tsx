import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { OwnMail } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { CheckField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { AddressDialog } from "./address-dialog.tsx";
import { ownMailQuery } from "./query.ts";
import { mailTexts as t } from "./texts.ts";

const topics = ["comments", "uploads", "digest"] as const;

/** The address of the person, and what is sent to it. */
export function OwnMailCard() {
  const own = useQuery(ownMailQuery);
  return (
    <Card>
      <h2 className="mb-1 text-lg font-semibold">{t.address}</h2>
      <Result of={own}>{(found) => <Address own={found} />}</Result>
    </Card>
  );
}

function Address({ own }: { own: OwnMail }) {
  const [open, setOpen] = useState<"change" | "remove" | null>(null);
  const { isConfigured, address, pendingAddress } = own;
  if (!isConfigured && address === null) return <p className="text-soft">{t.ownOff}</p>;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-soft">{t.addressHint}</p>
      <div className="grid gap-1">
        <p className="font-medium wrap-anywhere">{address ?? t.none}</p>
        {pendingAddress && (
          <p role="status" className="text-sm text-notice wrap-anywhere">
            {t.pending(pendingAddress)}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {isConfigured && <Button onClick={() => setOpen("change")}>{address === null ? t.add : words.change}</Button>}
        {address !== null && (
          <Button variant="quiet" onClick={() => setOpen("remove")}>
            {words.remove}
          </Button>
        )}
      </div>
      {address !== null && <Notices own={own} />}
      {open && <AddressDialog isRemoval={open === "remove"} onClose={() => setOpen(null)} />}
    </div>
  );
}

/** Each takes effect at once. */
function Notices({ own: { notices } }: { own: OwnMail }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: Partial<OwnMail["notices"]>) => api.changeNotices(wanted),
    onSuccess: (saved) => queries.setQueryData(ownMailQuery.queryKey, saved),
  });
  return (
    <fieldset className="grid gap-3 border-t border-line pt-4">
      <legend className="float-left mb-1 w-full font-medium">{t.notify}</legend>
      {topics.map((topic) => (
        <CheckField
          key={topic}
          role="switch"
          label={t.notices[topic].label}
          hint={t.notices[topic].hint}
          checked={change.isPending ? (change.variables[topic] ?? notices[topic]) : notices[topic]}
          disabled={change.isPending}
          onChange={({ target }) => change.mutate({ [topic]: target.checked })}
        />
      ))}
    </fieldset>
  );
}
