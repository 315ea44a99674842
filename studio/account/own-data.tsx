import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { formatBytes, formatDay } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { RemoveAccountDialog } from "./remove-account.tsx";
import { removalTexts } from "./removal-texts.ts";
import { accountTexts as t } from "./texts.ts";

const whileWaitingMs = 2000;

/** An archive of everything that belongs to the person. */
export function OwnData() {
  const queries = useQueryClient();
  const archive = useQuery({
    queryKey: ["archive"],
    queryFn: ({ signal }) => api.readArchive({}, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "waiting" ? whileWaitingMs : false),
  });
  const request = useMutation({
    mutationFn: () => api.requestArchive({}),
    onSuccess: (asked) => queries.setQueryData(["archive"], asked),
    onError: () => queries.invalidateQueries({ queryKey: ["archive"] }),
  });

  const [isRemoving, setRemoving] = useState(false);

  return (
    <Card>
      <h2 className="mb-1 text-lg font-semibold">{t.ownData}</h2>
      <p className="mb-3 text-sm text-soft">{t.ownDataHint}</p>
      <Result of={archive}>
        {({ status, url, size, expiresAt, error }) => (
          <div className="grid justify-items-start gap-3">
            <p role="status" className="text-sm empty:hidden">
              {status === "waiting" && t.archiveWaiting}
              {status === "failed" && (error ?? t.archiveFailed)}
              {status === "ready" && t.archiveReady(formatBytes(size ?? 0), expiresAt ? formatDay(expiresAt) : "")}
            </p>
            {status === "ready" && url && (
              <a href={url} download className={buttonClass("main")}>
                {words.download}
              </a>
            )}
            <Button isBusy={status === "waiting" || request.isPending} onClick={() => request.mutate()}>
              {status === "ready" ? t.archiveAgain : t.archiveRequest}
            </Button>
          </div>
        )}
      </Result>
      <div className="mt-5 grid justify-items-start gap-3 border-t border-line pt-4">
        <p className="text-sm text-soft">{removalTexts.hint}</p>
        <Button variant="danger" onClick={() => setRemoving(true)}>
          {removalTexts.open}
        </Button>
      </div>
      {isRemoving && (
        <RemoveAccountDialog
          status={archive.data?.status}
          onGetData={() => request.mutate()}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  );
}
