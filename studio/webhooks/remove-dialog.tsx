import { useMutation } from "@tanstack/react-query";
import type { Webhook } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { reloadWebhooks } from "./query.ts";
import { webhookTexts as t } from "./texts.ts";

/** Asks first: it cannot be restored. */
export function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ id: webhook.id }),
    onSuccess: () => {
      showToast({ text: t.removed });
      onClose();
    },
    onSettled: reloadWebhooks,
  });
  return (
    <Dialog
      title={t.removeTitle}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="danger" isBusy={remove.isPending}>
            {t.remove}
          </Button>
        </>
      }
    >
      <p className="break-words">{t.removeHint(webhook.url)}</p>
    </Dialog>
  );
}
