import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Person, VitrineError } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { words } from "../lib/words.ts";
import { ownMailQuery } from "../mail/query.ts";
import { mailTexts } from "../mail/texts.ts";
import { CopyLink } from "../shares/copy-link.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { peopleTexts as t } from "./texts.ts";

const day = 24 * 3_600_000;
const spans = [1, 7, 30];

/** Creates an invitation, then shows its link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [role, setRole] = useState<Person["role"]>("reader");
  const [note, setNote] = useState("");
  const [email, setEmail] = useState("");
  const [days, setDays] = useState("7");
  const own = useQuery(ownMailQuery);
  const create = useMutation({
    mutationFn: () =>
      api.createInvitation({
        role,
        note: note.trim() || undefined,
        email: email.trim() || undefined,
        expiresAt: days === "" ? null : new Date(Date.now() + Number(days) * day).toISOString(),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["people", "invitations"] }),
  });
  if (create.data) {
    return (
      <Dialog title={t.invite} onClose={onClose} actions={<DoneButton onClick={onClose} />}>
        <p className="mb-4">{create.data.email ? mailTexts.mailed(create.data.email) : t.linkOnce}</p>
        <CopyLink url={create.data.url} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t.invite}
      onClose={onClose}
      onSubmit={() => create.mutate()}
      submit={{ label: t.createLink, isBusy: create.isPending }}
    >
      <div className="grid gap-4">
        <p className="text-soft">{t.inviteHint}</p>
        <TextField
          label={t.note}
          hint={t.noteHint}
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {own.data?.isConfigured && (
          <TextField
            type="email"
            label={mailTexts.email}
            hint={mailTexts.emailHint}
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={create.error instanceof VitrineError && create.error.field === "email" ? mailTexts.wrongEmail : null}
          />
        )}
        <SelectField
          label={t.role}
          hint={t.rights[role]}
          value={role}
          onChange={(event) => setRole(event.target.value as Person["role"])}
          options={(["reader", "author", "admin"] as const).map((value) => ({ value, label: words.roles[value] }))}
        />
        <SelectField
          label={words.expires}
          value={days}
          onChange={(event) => setDays(event.target.value)}
          options={[
            ...spans.map((span) => ({ value: String(span), label: t.days(span) })),
            { value: "", label: t.forEver },
          ]}
        />
      </div>
    </Dialog>
  );
}
