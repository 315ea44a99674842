import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArchiveRestore, CircleCheck, TriangleAlert } from "lucide-react";
import type { Backups, Settings } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatBytes, formatTime } from "../lib/format.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { showToast } from "../lib/toasts.ts";
import { settingsQuery } from "../settings/settings.ts";
import { Button } from "../ui/button.tsx";
import { Card, Progress, Result, Screen } from "../ui/screen.tsx";
import { backupsQuery, judge } from "./query.ts";
import { RestoreCard } from "./restore-card.tsx";
import { ScheduleSection } from "./schedule-section.tsx";
import { backupTexts as t } from "./texts.ts";

/** Whether there is a recent backup, and what can be restored from it. */
export function BackupsScreen() {
  const queries = useQueryClient();
  const listed = useQuery(backupsQuery);
  const settings = useQuery(settingsQuery);
  const begin = useMutation({
    mutationFn: () => api.createBackup({}),
    onSuccess: () => showToast({ text: t.begun }),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  });
  const isRunning = listed.data?.isRunning ?? false;
  return (
    <Screen
      title={t.title}
      actions={
        listed.data?.place && (
          <Button
            variant="main"
            icon={<ArchiveRestore />}
            isBusy={begin.isPending || isRunning}
            onClick={() => begin.mutate()}
          >
            {t.now}
          </Button>
        )
      }
    >
      <Result of={listed}>
        {(found) => (
          <Result of={settings}>
            {(saved) => (
              <div className="grid grid-cols-1 gap-6">
                <Status found={found} every={saved.backupEvery} />
                {found.backups.length > 0 && <RestoreCard backups={found.backups} />}
                {found.place !== null && <ScheduleSection saved={saved} />}
                {found.backups.length > 0 && <List backups={found.backups} />}
              </div>
            )}
          </Result>
        )}
      </Result>
    </Screen>
  );
}

function Status({ found, every }: { found: Backups; every: Settings["backupEvery"] }) {
  const { isGood, text, hint } = judge(found, every);
  return (
    <Card>
      <div role="status" className="flex items-start gap-4">
        {isGood ? (
          <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-accent" />
        ) : (
          <TriangleAlert aria-hidden="true" className="size-6 shrink-0 text-notice" />
        )}
        <div className="min-w-0 flex-1">
          <h2 className="text-lg font-semibold">{text}</h2>
          <p className="mt-1 wrap-anywhere text-soft">{hint}</p>
          {found.place && (
            <p className="mt-2 text-sm wrap-anywhere text-soft">
              {t.place} <span className="font-mono">{found.place}</span>
            </p>
          )}
        </div>
      </div>
      {found.isRunning && (
        <div className="mt-4 grid gap-2">
          <p>{t.running}</p>
          <Progress label={t.running} />
        </div>
      )}
    </Card>
  );
}

const List = ({ backups }: { backups: Backups["backups"] }) => (
  <Card>
    <h2 className="mb-2 text-lg font-semibold">{t.list}</h2>
    <ul className="divide-y divide-line">
      {backups.map(({ id, createdAt, fileCount, bytes, lostFiles }) => (
        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>
          <span className="text-sm text-soft">
            {countOf(recordKinds.file, fileCount)} · {formatBytes(bytes)}
          </span>
          {lostFiles > 0 && <span className="w-full text-sm text-notice">{t.lost(lostFiles)}</span>}
        </li>
      ))}
    </ul>
  </Card>
);
