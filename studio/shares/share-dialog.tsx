import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { NewShareResult, Share } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { CopyLink } from "./copy-link.tsx";
import { newDraft } from "./share-form.tsx";
import { ShareLine } from "./share-line.tsx";
import { shareTexts as t } from "./texts.ts";
import { useShareForm } from "./use-share-form.tsx";

type Props = {
  kind: Share["kind"];
  id: number;
  title: string;
  /** Whether it is an album that a filter fills: nothing can be added to it. */
  isSmart?: boolean;
  onClose: () => void;
};

/** Creates links to a record, and lists those that there are. */
export function ShareDialog({ kind, id, title, isSmart = false, onClose }: Props) {
  const formID = useId();
  const [created, setCreated] = useState<NewShareResult | null>(null);
  const { fields, isBusy, submit, reset } = useShareForm({
    first: newDraft,
    kind,
    isSmart,
    async send(options) {
      setCreated(await api.createShare({ kind, id, ...options }));
      void queries.invalidateQueries({ queryKey: ["shares"] });
    },
  });
  const existing = useQuery({
    queryKey: ["shares", "of", kind, id],
    queryFn: async ({ signal }) => (await api.listShares({ kind, id, cursor: "", pageSize: 50 }, { signal })).items,
  });
  const others = existing.data?.filter((share) => share.id !== created?.id) ?? [];

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
                reset();
              }}
            >
              {t.another}
            </Button>
            <DoneButton onClick={onClose} />
          </>
        ) : (
          <>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button type="submit" form={formID} variant="main" isBusy={isBusy}>
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
        // Not around the whole dialog: the dialogs of other links have their own forms.
        <form
          id={formID}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <p className="text-soft">{t.intro}</p>
          <div>{fields}</div>
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
