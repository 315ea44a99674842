import { useMutation } from "@tanstack/react-query";
import type { Redirect } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { reloadRedirects } from "./query.ts";
import { redirectTexts as t } from "./texts.ts";

/** As many as one request takes. */
const removedAtOnce = 1000;
const maxNamed = 5;

type Props = { redirects: readonly Redirect[]; onRemoved: () => void; onClose: () => void };

/** Asks first: they cannot be restored. */
export function RemoveDialog({ redirects, onRemoved, onClose }: Props) {
  const count = redirects.length;
  const remove = useMutation({
    async mutationFn() {
      const ids = redirects.map(({ id }) => id);
      for (let start = 0; start < count; start += removedAtOnce)
        await api.removeRedirects({ ids: ids.slice(start, start + removedAtOnce) });
    },
    onSuccess: () => {
      showToast({ text: t.removed(count) });
      onRemoved();
      onClose();
    },
    onSettled: reloadRedirects,
  });
  return (
    <Dialog
      title={t.removeTitle(count)}
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
      <ul className="mb-3 grid gap-1">
        {redirects.slice(0, maxNamed).map(({ id, from }) => (
          <li key={id} className="font-medium wrap-anywhere" dir="auto">
            {from}
          </li>
        ))}
        {count > maxNamed && <li className="text-soft">{t.others(count - maxNamed)}</li>}
      </ul>
      <p>{t.removeHint(count)}</p>
    </Dialog>
  );
}
