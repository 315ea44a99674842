import { useMutation } from "@tanstack/react-query";
import type { Webhook, WebhookDelivery } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo } from "../lib/format.ts";
import { useListed } from "../lib/listed.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { MoreButton } from "../ui/more-button.tsx";
import { Result } from "../ui/screen.tsx";
import { hostOf, reloadWebhooks } from "./query.ts";
import { webhookTexts as t } from "./texts.ts";

/** What was sent, newest first, and how it ended. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id } = webhook;
  const listed = useListed(
    ["webhooks", id, "deliveries"],
    (cursor, signal) => api.listWebhookDeliveries({ id, cursor, pageSize: 20 }, { signal }),
    // No event reports the outcome of a delivery.
    { refetchInterval: 5000 },
  );
  return (
    <Dialog
      title={t.deliveriesOf(hostOf(webhook))}
      onClose={onClose}
      width="wide"
      actions={
        <>
          <MoreButton of={listed} />
          <DoneButton onClick={onClose} />
        </>
      }
    >
      <Result of={listed}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="text-soft">{t.noDeliveries}</p>
          ) : (
            <ul className="divide-y divide-line">
              {deliveries.map((delivery) => (
                <DeliveryLine key={delivery.id} delivery={delivery} isActive={webhook.isActive} />
              ))}
            </ul>
          )
        }
      </Result>
    </Dialog>
  );
}

function DeliveryLine({ delivery, isActive }: { delivery: WebhookDelivery; isActive: boolean }) {
  const { id: deliveryID, webhookID: id, event, state, status, attempts, error, createdAt } = delivery;
  const send = useMutation({
    mutationFn: () => api.redeliverWebhook({ id, deliveryID }),
    onSuccess: () => showToast({ text: t.queued }),
    onSettled: reloadWebhooks,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-full sm:basis-56">
        <p className="font-mono text-sm break-all">{event}</p>
        <p className="text-sm text-soft">{[formatAgo(createdAt), t.attempts(attempts)].join(" · ")}</p>
        {error && state !== "delivered" && <p className="text-sm break-words text-danger">{error}</p>}
      </div>
      <p className={classes("text-sm font-medium max-sm:flex-1", state === "failed" && "text-danger")}>
        {t.states[state]}
        {status !== null && ` (${status})`}
      </p>
      {state !== "waiting" && isActive && (
        <Button variant="quiet" aria-label={t.againOf(event)} isBusy={send.isPending} onClick={() => send.mutate()}>
          {t.again}
        </Button>
      )}
    </li>
  );
}
