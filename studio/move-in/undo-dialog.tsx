import { useMutation } from "@tanstack/react-query";
import { api } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { reloadImports } from "./query.ts";
import { moveInTexts as t } from "./texts.ts";

export function UndoDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const undo = useMutation({
    mutationFn: () => api.undoImport({ id }),
    onSuccess: onClose,
    onSettled: reloadImports,
  });
  return (
    <Dialog
      title={t.undoTitle}
      onClose={onClose}
      onSubmit={() => undo.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t.back}</Button>
          <Button type="submit" variant="danger" isBusy={undo.isPending}>
            {t.undo}
          </Button>
        </>
      }
    >
      <p>{t.undoHint}</p>
    </Dialog>
  );
}
