import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import type { Import } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatBytes, formatNumber } from "../lib/format.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { RemoveDialog } from "../ui/remove-dialog.tsx";
import { Card, Result, Screen } from "../ui/screen.tsx";
import { ContinueForm } from "./continue-form.tsx";
import { canBeFolder, ImportAsFolder } from "./import-as-folder.tsx";
import { ImportNow } from "./import-now.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { ImportReport } from "./import-report.tsx";
import { importQuery, isWorking, reloadArchives, reloadImports } from "./query.ts";
import { moveInTexts as t } from "./texts.ts";

/** One import: how far it is, and what became of each item. */
export function ImportScreen() {
  const { id } = useParams({ strict: false });
  const found = useQuery(importQuery(Number(id)));
  const isBusy = found.data ? isWorking(found.data) : true;
  // Other screens also have what was imported.
  useEffect(() => {
    if (!isBusy) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "imports" });
  }, [isBusy]);
  return (
    <Screen title={found.data?.source ?? t.title} actions={found.data && <Actions import={found.data} />}>
      <Link to="/move-in" className={buttonClass("quiet")}>
        <ArrowLeft aria-hidden="true" />
        {t.all}
      </Link>
      <Result of={found}>
        {(one) => (
          <div className="mt-2 grid grid-cols-1 gap-6">
            <Card>
              <ImportProgress import={one} />
              {one.needsKey && <ContinueForm import={one} />}
              {isBusy && !one.needsKey && <p className="mt-3 text-sm text-soft">{t.background}</p>}
              <Counts import={one} />
              {one.isDryRun && one.status === "finished" && one.plan && <ImportNow import={one} />}
              {canBeFolder(one) && <ImportAsFolder import={one} />}
            </Card>
            <ImportReport key={one.status} import={one} />
          </div>
        )}
      </Result>
    </Screen>
  );
}

function Counts({ import: one }: { import: Import }) {
  const { items, imported, bytes, isDryRun } = one;
  const names = isDryRun ? t.triedCounts : t.counts;
  const counts: [string, string][] = [
    ...(Object.keys(names) as (keyof typeof names)[])
      .filter((name) => name !== "noted" || items.noted > 0)
      .map((name): [string, string] => [names[name], formatNumber(items[name])]),
    ...(imported > 0 ? [[words.photos, formatNumber(imported)] as [string, string]] : []),
    ...(bytes > 0 && !isDryRun ? [[t.stored, formatBytes(bytes)] as [string, string]] : []),
  ];
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
      {counts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ import: one }: { import: Import }) {
  const [isAsking, setIsAsking] = useState(false);
  const { id, status, isDryRun, plan } = one;
  const cancel = useMutation({ mutationFn: () => api.cancelImport({ id }), onSettled: reloadImports });
  const removeArchives = useMutation({
    async mutationFn() {
      for (const fileID of plan?.fileIDs ?? []) await api.deleteFile({ id: fileID });
    },
    onSuccess: () => showToast({ text: t.archivesRemoved }),
    onSettled: reloadArchives,
  });
  if (status === "running" || status === "undoing")
    return (
      <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        {t.cancel}
      </Button>
    );
  if (isDryRun) return null;
  return (
    <>
      {status === "finished" && plan?.fileIDs && !removeArchives.isSuccess && (
        <Button isBusy={removeArchives.isPending} onClick={() => removeArchives.mutate()}>
          {t.removeArchives}
        </Button>
      )}
      {(status === "finished" || status === "cancelled") && (
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          {t.undo}
        </Button>
      )}
      {isAsking && (
        <RemoveDialog
          title={t.undoTitle}
          action={t.undo}
          cancel={t.back}
          act={() => api.undoImport({ id })}
          onSettled={reloadImports}
          onClose={() => setIsAsking(false)}
        >
          <p>{t.undoHint}</p>
        </RemoveDialog>
      )}
    </>
  );
}
