import { Check } from "lucide-react";
import { words } from "../../lib/words.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { detailsTexts as t } from "./texts.ts";
import type { useEditor } from "./use-editor.ts";

type Props = { state: ReturnType<typeof useEditor>["state"]; onRetry: () => void };

export function SaveState({ state, onRetry }: Props) {
  return (
    <div role="status" className="flex min-w-0 items-center gap-2 text-sm text-soft">
      {state.is === "saved" && (
        <>
          <Check className="size-4" />
          {words.saved}
        </>
      )}
      {(state.is === "waiting" || state.is === "saving") && (
        <>
          <Spinner />
          {words.saving}
        </>
      )}
      {state.is === "failed" && (
        <>
          <span className="line-clamp-2 text-danger" title={state.problem}>
            {state.problem}
          </span>
          <Button onClick={onRetry}>{words.retry}</Button>
        </>
      )}
      {state.is === "conflict" && <span className="text-danger">{t.notSaved}</span>}
    </div>
  );
}
