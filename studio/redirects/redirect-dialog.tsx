import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Redirect, VitrineError } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { reloadRedirects } from "./query.ts";
import { redirectTexts as t } from "./texts.ts";

/** Adds a redirect, or changes one. */
export function RedirectDialog({ redirect, onClose }: { redirect: Redirect | null; onClose: () => void }) {
  const before = { from: redirect?.from ?? "", to: redirect?.to ?? "" };
  const [from, setFrom] = useState(before.from);
  const [to, setTo] = useState(before.to);
  const [isSent, setIsSent] = useState(false);
  const sent = { from: withScheme(from.trim()), to: toOwnPath(to.trim()) };
  const save = useMutation({
    async mutationFn() {
      if (!redirect) await api.createRedirect(sent);
      else await api.changeRedirect({ id: redirect.id, ...changedFields(before, sent) });
    },
    onSuccess: () => {
      showToast({ text: redirect ? t.saved : t.added });
      onClose();
    },
    // It is shown in the dialog.
    onError: () => {},
    onSettled: reloadRedirects,
  });
  // A broken redirect can keep its missing target while its address is edited.
  const needsTo = before.to !== "" || !redirect;
  const isComplete = sent.from !== "" && (sent.to !== "" || !needsTo);
  const isSame = Object.keys(changedFields(before, sent)).length === 0;
  const submit = () => {
    setIsSent(true);
    if (isComplete && isSame) onClose();
    else if (isComplete) save.mutate();
  };
  const { field, text } = describeProblem(save.error);
  const missing = (value: string) => (isSent && value === "" ? t.needed : null);
  return (
    <Dialog
      title={redirect ? t.changeTitle : t.add}
      onClose={onClose}
      onSubmit={submit}
      submit={{ label: redirect ? words.save : t.add, isBusy: save.isPending }}
    >
      <div className="grid gap-4">
        {field === null && text !== null && (
          <p role="alert" className="text-danger">
            {text}
          </p>
        )}
        <TextField
          label={t.from}
          hint={t.fromHint}
          value={from}
          error={missing(sent.from) ?? (field === "from" ? text : null)}
          onChange={({ target }) => setFrom(target.value)}
          {...plain}
        />
        <TextField
          label={t.to}
          hint={t.toHint}
          value={to}
          error={(needsTo ? missing(sent.to) : null) ?? (field === "to" ? text : null)}
          onChange={({ target }) => setTo(target.value)}
          {...plain}
        />
      </div>
    </Dialog>
  );
}

const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

type Pair = { from: string; to: string };

const changedFields = (before: Pair, sent: Pair): Partial<Pair> => ({
  ...(sent.from !== before.from && { from: sent.from }),
  ...(sent.to !== "" && sent.to !== before.to && { to: sent.to }),
});

/** Without a scheme, the name of a host would be taken for the beginning of a path. */
const withScheme = (text: string): string => (/^www\./i.test(text) ? `https://${text}` : text);

/** An address of this site may be pasted whole. */
function toOwnPath(text: string): string {
  const path = text.startsWith(`${location.origin}/`) ? text.slice(location.origin.length) : text;
  return path === "" || path.startsWith("/") || /^[a-z][a-z\d+.-]*:/i.test(path) ? path : `/${path}`;
}

type Described = { field: "from" | "to" | null; text: string | null };

/** At which field the problem is, and a sentence about it. */
function describeProblem(error: unknown): Described {
  if (!error) return { field: null, text: null };
  const known = error instanceof VitrineError && (error.code === "invalid" || error.code === "conflict") ? error : null;
  if (known?.field !== "from" && known?.field !== "to") return { field: null, text: explain(error) };
  return { field: known.field, text: t.problems[known.field][known.code as "invalid" | "conflict"] };
}
