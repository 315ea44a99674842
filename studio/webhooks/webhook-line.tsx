import { useMutation } from "@tanstack/react-query";
import { List, Pencil, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { CheckField } from "../ui/field.tsx";
import { MoreMenu } from "../ui/menu.tsx";
import { RemoveDialog } from "../ui/remove-dialog.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { hostOf, reloadWebhooks } from "./query.ts";
import { webhookTexts as t } from "./texts.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

/** One webhook: where it leads, whether it is active, and what can be done with it. */
export function WebhookLine({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<"change" | "deliveries" | "remove" | null>(null);
  const close = () => setOpen(null);
  const activate = useMutation({
    mutationFn: (isActive: boolean) => api.changeWebhook({ id: webhook.id, isActive }),
    onSettled: reloadWebhooks,
  });
  const isActive = activate.isPending ? activate.variables : webhook.isActive;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium break-all">{webhook.url}</p>
        <p className="text-sm break-words text-soft">{webhook.events.join(" ")}</p>
        {webhook.inactiveReason && <p className="text-sm text-danger">{webhook.inactiveReason}</p>}
      </div>
      <CheckField
        role="switch"
        label={t.active}
        aria-label={t.activeOf(hostOf(webhook))}
        checked={isActive}
        onChange={({ target }) => activate.mutate(target.checked)}
        className="items-center max-sm:flex-1"
      />
      <MoreMenu
        label={words.actionsFor(hostOf(webhook))}
        items={[
          { label: t.test, icon: <Send />, run: () => void sendTest(webhook) },
          { label: t.deliveries, icon: <List />, run: () => setOpen("deliveries") },
          { label: words.change, icon: <Pencil />, run: () => setOpen("change") },
          null,
          { label: words.remove, icon: <Trash2 />, isDanger: true, run: () => setOpen("remove") },
        ]}
      />
      {open === "change" && <WebhookDialog webhook={webhook} onClose={close} />}
      {open === "deliveries" && <DeliveriesDialog webhook={webhook} onClose={close} />}
      {open === "remove" && (
        <RemoveDialog
          title={t.removeTitle}
          action={words.remove}
          act={() => api.deleteWebhook({ id: webhook.id })}
          onDone={() => showToast({ text: t.removed })}
          onSettled={reloadWebhooks}
          onClose={close}
        >
          <p className="break-words">{t.removeHint(webhook.url)}</p>
        </RemoveDialog>
      )}
    </li>
  );
}

async function sendTest(webhook: Webhook): Promise<void> {
  const retry = () => void sendTest(webhook);
  try {
    const { state, status, error } = await api.testWebhook({ id: webhook.id });
    if (state === "delivered") showToast({ text: t.tested(String(status)) });
    else showToast({ text: t.testFailed(error ?? t.noReason), isFailure: true, retry });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry });
  }
  void reloadWebhooks();
}
