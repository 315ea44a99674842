import type { Redirect } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { RemoveDialog } from "../ui/remove-dialog.tsx";
import { reloadRedirects } from "./query.ts";
import { redirectTexts as t } from "./texts.ts";

/** As many as one request takes. */
const maxRemovedPerRequest = 1000;
const maxNamed = 5;

type Props = { redirects: readonly Redirect[]; onRemoved: () => void; onClose: () => void };

/** Asks first: they cannot be restored. */
export function RemoveRedirects({ redirects, onRemoved, onClose }: Props) {
  const count = redirects.length;
  const remove = async () => {
    const ids = redirects.map(({ id }) => id);
    for (let start = 0; start < count; start += maxRemovedPerRequest)
      await api.removeRedirects({ ids: ids.slice(start, start + maxRemovedPerRequest) });
  };
  const finish = () => {
    showToast({ text: t.removed(count) });
    onRemoved();
  };
  return (
    <RemoveDialog
      title={t.removeTitle(count)}
      action={words.remove}
      act={remove}
      onDone={finish}
      onSettled={reloadRedirects}
      onClose={onClose}
    >
      <ul className="mb-3 grid gap-1">
        {redirects.slice(0, maxNamed).map(({ id, from }) => (
          <li key={id} className="font-medium wrap-anywhere" dir="auto">
            {from}
          </li>
        ))}
        {count > maxNamed && <li className="text-soft">{words.andMore(count - maxNamed)}</li>}
      </ul>
      <p>{t.removeHint(count)}</p>
    </RemoveDialog>
  );
}
