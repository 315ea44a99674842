import { useState } from "react";
import { type Share, VitrineError } from "../../client/src/index.ts";
import { explain } from "../lib/explain.ts";
import { type Draft, ShareForm, toOptions } from "./share-form.tsx";

type Options = NonNullable<ReturnType<typeof toOptions>>;
type Deps = {
  first: Draft;
  kind: Share["kind"];
  isSmart?: boolean;
  hasPassword?: boolean;
  send: (options: Options) => Promise<unknown>;
};

/** The fields of a link, and what sends them. A problem is shown at its field, or above them. */
export function useShareForm({ first, kind, isSmart = false, hasPassword = false, send }: Deps) {
  const [draft, setDraft] = useState(first);
  const [isSent, setIsSent] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isAboutPassword = error instanceof VitrineError && error.field === "password";
  return {
    isBusy,
    async submit(): Promise<void> {
      setIsSent(true);
      const options = toOptions(draft);
      if (!options) return;
      setIsBusy(true);
      setError(null);
      try {
        await send(options);
      } catch (problem) {
        setError(problem);
      }
      setIsBusy(false);
    },
    reset(): void {
      setDraft(first);
      setIsSent(false);
    },
    fields: (
      <>
        {error !== null && !isAboutPassword && (
          <p role="alert" className="mb-4 text-danger">
            {explain(error)}
          </p>
        )}
        <ShareForm
          draft={draft}
          onChange={setDraft}
          kind={kind}
          isSmart={isSmart}
          hasPassword={hasPassword}
          isSent={isSent}
          passwordProblem={isAboutPassword ? explain(error) : null}
        />
      </>
    ),
  };
}
