import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { NewShareResult, Share } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CopyLink } from "./copy-link.tsx";
import { ShareForm, newDraft, toOptions } from "./share-form.tsx";
import { type Problem, toProblem } from "./problem.ts";
import { ShareLine } from "./share-line.tsx";
import { shareTexts as t } from "./texts.ts";

type Props = { kind: Share["kind"]; id: number; title: string; onClose: () => void };

/** Creates links to a record, and lists those that there are. */
export function ShareDialog({ kind, id, title, onClose }: Props) {
  const form = useId();
  const [draft, setDraft] = useState(newDraft);
  const [isSent, setIsSent] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [created, setCreated] = useState<NewShareResult | null>(null);
  const existing = useQuery({
    queryKey: ["shares", "of", kind, id],
    queryFn: async ({ signal }) => (await api.listShares({ kind, id, cursor: "", pageSize: 50 }, { signal })).items,
  });
  const others = existing.data?.filter((share) => share.id !== created?.id) ?? [];

  const create = async () => {
    setIsSent(true);
    const options = toOptions(draft);
    if (!options) return;
    setIsBusy(true);
    try {
      setCreated(await api.createShare({ kind, id, ...options }));
      setProblem(null);
      void queries.invalidateQueries({ queryKey: ["shares"] });
    } catch (error) {
      setProblem(toProblem(error));
    }
    setIsBusy(false);
  };

  return (
    <Dialog
      title={t.shareTitle(title)}
      onClose={onClose}
      actions={
        created ? (
          <>
            <Button
              onClick={() => {
                setCreated(null);
                setDraft(newDraft);
                setIsSent(false);
              }}
            >
              {t.another}
            </Button>
            <Button look="main" onClick={onClose}>
              {t.done}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" form={form} look="main" isBusy={isBusy}>
              {t.create}
            </Button>
          </>
        )
      }
    >
      {created ? (
        <div className="grid gap-3">
          <p role="status">
            <strong className="block">{t.created}</strong>
            <span className="text-soft">{created.hasPassword ? t.createdPasswordHint : t.createdHint}</span>
          </p>
          <CopyLink url={created.url} />
        </div>
      ) : (
        // Not around the whole dialog: the dialogs of other links have forms of their own.
        <form
          id={form}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <p className="text-soft">{t.intro}</p>
          {problem && problem.field !== "password" && (
            <p role="alert" className="text-danger">
              {problem.text}
            </p>
          )}
          <ShareForm
            draft={draft}
            onChange={setDraft}
            kind={kind}
            isSent={isSent}
            passwordProblem={problem?.field === "password" ? problem.text : null}
          />
        </form>
      )}
      {others.length > 0 && (
        <section className="mt-6 border-t border-line pt-4">
          <h3 className="mb-1 font-medium">{t.existing}</h3>
          <ul className="divide-y divide-line">
            {others.map((share) => (
              <li key={share.id}>
                <ShareLine share={share} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
