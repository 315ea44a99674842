import { useState } from "react";
import type { Share } from "../../client/src/index.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { shareTexts as t } from "./texts.ts";
import { revokeShare } from "./waiting.ts";

/** Asks first: the link cannot be restored, because the server does not know it, only its hash. */
export function RevokeShareDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  const revoke = async () => {
    setIsBusy(true);
    try {
      await revokeShare(share.id);
      showToast({ text: t.revoked });
      onClose();
      queries.setQueriesData({ queryKey: ["shares", "list"] }, (shares: Share[] | undefined) =>
        shares?.filter(({ id }) => id !== share.id),
      );
      void queries.invalidateQueries({ queryKey: ["shares", "of"] });
    } catch (error) {
      showToast({ text: explain(error), isFailure: true });
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={t.revokeTitle}
      onClose={onClose}
      onSubmit={() => void revoke()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="danger" isBusy={isBusy}>
            {t.revoke}
          </Button>
        </>
      }
    >
      <p>{t.revokeHint(share.waitingUploads)}</p>
    </Dialog>
  );
}
