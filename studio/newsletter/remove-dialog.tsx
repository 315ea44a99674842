import { useMutation } from "@tanstack/react-query";
import type { Subscriber } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { reloadNewsletter } from "./query.ts";
import { newsletterTexts as t } from "./texts.ts";

/** Asks first: it cannot be restored. */
export function RemoveDialog({ subscriber: { id, email }, onClose }: { subscriber: Subscriber; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => api.deleteSubscriber({ id }),
    onSuccess: () => {
      showToast({ text: t.removed(email) });
      onClose();
    },
    onSettled: reloadNewsletter,
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
      <p className="mb-2 font-medium wrap-anywhere">{email}</p>
      <p>{t.removeHint}</p>
    </Dialog>
  );
}
