import type { Share } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toDraft } from "./share-form.tsx";
import { shareTexts as t } from "./texts.ts";
import { useShareForm } from "./use-share-form.tsx";

export function ChangeShareDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const { id, kind, hasPassword } = share;
  const { fields, isBusy, submit } = useShareForm({
    first: toDraft(share),
    kind,
    hasPassword,
    async send(options) {
      await api.changeShare({ id, ...options });
      await queries.invalidateQueries({ queryKey: ["shares"] });
      showToast({ text: t.saved });
      onClose();
    },
  });
  return (
    <Dialog
      title={t.changeTitle}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {t.save}
          </Button>
        </>
      }
    >
      {fields}
    </Dialog>
  );
}
