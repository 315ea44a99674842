import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Import } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { reloadImports } from "./query.ts";
import { KeyField, otherProblem, refusalOf } from "./server-fields.tsx";
import { serverTexts as t } from "./server-texts.ts";

/** Asks for the key that an import has lost. */
export function ContinueForm({ import: { id, plan } }: { import: Import }) {
  const [key, setKey] = useState("");
  const resume = useMutation({
    mutationFn: () => api.resumeImport({ id, key: key.trim() }),
    // It is shown in the form.
    onError: () => {},
    onSettled: reloadImports,
  });
  const problem = refusalOf(resume.error, "server") ?? otherProblem(resume.error);
  return (
    <form
      aria-label={t.waits}
      className="mt-4 grid max-w-md gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        resume.mutate();
      }}
    >
      <p className="text-soft">{t.waitsHint}</p>
      <KeyField kind={plan?.server?.kind ?? "immich"} value={key} onChange={setKey} error={resume.error} />
      {problem && (
        <p role="alert" className="wrap-anywhere text-danger">
          {problem}
        </p>
      )}
      <div>
        <Button type="submit" variant="main" isBusy={resume.isPending}>
          {t.resume}
        </Button>
      </div>
    </form>
  );
}
