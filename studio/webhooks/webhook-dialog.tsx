import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { VitrineError, type Webhook } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { words } from "../lib/words.ts";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { reloadWebhooks } from "./query.ts";
import { webhookTexts as t } from "./texts.ts";

type Props = { webhook?: Webhook; onClose: () => void };

/** Creates a webhook, then shows its secret; or changes one. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const [url, setURL] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState(webhook?.events.join(" ") ?? "*");
  const [isSent, setIsSent] = useState(false);
  const patterns = events.split(/[\s,]+/).filter(Boolean);
  const save = useMutation({
    mutationFn: async () => {
      const sent = { url: url.trim(), events: patterns };
      if (!webhook) return (await api.createWebhook(sent)).secret;
      await api.changeWebhook({ id: webhook.id, ...sent });
      onClose();
      return null;
    },
    // It is shown in the dialog.
    onError: () => {},
    onSettled: reloadWebhooks,
  });
  const field = save.error instanceof VitrineError ? save.error.field : null;
  const problem = save.error ? explain(save.error) : null;
  const isAboutEvents = field?.startsWith("events") ?? false;
  const submit = () => {
    setIsSent(true);
    if (patterns.length > 0) save.mutate();
  };
  if (save.data) {
    return (
      <Dialog title={t.create} onClose={onClose} actions={<DoneButton onClick={onClose} />}>
        <div className="grid gap-3">
          <p>{t.secretOnce}</p>
          <CopyField label={t.secret} value={save.data} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={webhook ? words.change : t.create}
      onClose={onClose}
      onSubmit={submit}
      submit={{ label: webhook ? words.save : t.create, isBusy: save.isPending }}
    >
      <div className="grid gap-4">
        <TextField
          type="url"
          label={words.address}
          hint={t.urlHint}
          placeholder="https://"
          value={url}
          error={isAboutEvents ? null : problem}
          onChange={(event) => setURL(event.target.value)}
        />
        <TextField
          label={t.events}
          hint={t.eventsHint}
          value={events}
          error={isSent && patterns.length === 0 ? t.noEvents : isAboutEvents ? problem : null}
          onChange={(event) => setEvents(event.target.value)}
          className="font-mono"
        />
      </div>
    </Dialog>
  );
}
