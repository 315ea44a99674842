import { useState } from "react";
import type { Share } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { say } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type Problem, toProblem } from "./problem.ts";
import { ShareForm, toDraft, toOptions } from "./share-form.tsx";
import { shareTexts as t } from "./texts.ts";

export function ChangeShareDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const [draft, setDraft] = useState(() => toDraft(share));
  const [isSent, setIsSent] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async () => {
    setIsSent(true);
    const options = toOptions(draft);
    if (!options) return;
    setIsBusy(true);
    try {
      await api.changeShare({ id: share.id, ...options });
      await queries.invalidateQueries({ queryKey: ["shares"] });
      say({ text: t.saved });
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={t.changeTitle}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" look="main" isBusy={isBusy}>
            {t.save}
          </Button>
        </>
      }
    >
      {problem && problem.field !== "password" && (
        <p role="alert" className="mb-4 text-danger">
          {problem.text}
        </p>
      )}
      <ShareForm
        draft={draft}
        onChange={setDraft}
        kind={share.kind}
        passwordProblem={problem?.field === "password" ? problem.text : null}
        hasPassword={share.hasPassword}
        isSent={isSent}
      />
    </Dialog>
  );
}
