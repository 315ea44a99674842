import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RotateCcw, Search } from "lucide-react";
import { useState } from "react";
import type { BackedUpRecord, Backups } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatTime } from "../lib/format.ts";
import { linkToRecord } from "../lib/links.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { backupTexts as t } from "./texts.ts";

type Kind = keyof typeof t.kinds;
const kinds = Object.keys(t.kinds) as Kind[];

/** Finds what was deleted in a backup, and restores it. */
export function RestoreCard({ backups }: { backups: Backups["backups"] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind>("photo");
  const [text, setText] = useState("");
  // Reading a backup takes seconds: not at every letter.
  const [search, setSearch] = useState("");
  const backup = backups.some(({ id }) => id === chosen) ? (chosen ?? "") : (backups[0]?.id ?? "");
  const found = useQuery({
    queryKey: ["backups", "contents", backup, kind, search],
    queryFn: ({ signal }) => api.listBackupContents({ backup, kind, ...(search && { search }) }, { signal }),
  });
  return (
    <Card>
      <h2 className="text-lg font-semibold">{t.restore}</h2>
      <p className="mt-1 mb-4 text-soft">{t.restoreHint}</p>
      <form
        role="search"
        aria-label={t.restore}
        className="mb-4 grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(text.trim());
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label={t.backup}
            value={backup}
            onChange={({ target }) => setChosen(target.value)}
            options={backups.map(({ id, createdAt }) => ({ value: id, label: formatTime(createdAt) }))}
          />
          <SelectField
            label={t.kind}
            value={kind}
            onChange={({ target }) => setKind(target.value as Kind)}
            options={kinds.map((value) => ({ value, label: t.kinds[value] }))}
          />
        </div>
        <div className="flex gap-2">
          <SearchField label={t.search} value={text} onChange={setText} className="min-w-0 flex-1" />
          <Button type="submit" icon={<Search />} aria-label={words.search}>
            <span className="max-sm:hidden">{words.search}</span>
          </Button>
        </div>
      </form>
      <Result of={found}>
        {({ records, total }) =>
          records.length === 0 ? (
            <p className="py-4 text-center text-soft">{t.nothing}</p>
          ) : (
            <>
              <ul className="divide-y divide-line">
                {records.map((record) => (
                  <Line key={`${record.kind} ${record.id}`} record={record} backup={backup} />
                ))}
              </ul>
              {total > records.length && <p className="mt-3 text-sm text-soft">{t.more(records.length, total)}</p>}
            </>
          )
        }
      </Result>
    </Card>
  );
}

function Line({ record, backup }: { record: BackedUpRecord; backup: string }) {
  const queries = useQueryClient();
  const name = record.name || t.untitled;
  const link = record.state === "present" ? linkToRecord(record.kind, record.id) : null;
  const restore = useMutation({
    mutationFn: () => api.restoreFromBackup({ backup, kind: record.kind as Kind, id: record.id }),
    onSuccess({ state, otherRestored, otherFailed, reason }) {
      if (otherFailed > 0) showToast({ text: t.partly(otherFailed, reason ?? ""), isFailure: true });
      else if (state === "restored")
        showToast({ text: otherRestored > 0 ? t.restoredWith(name, otherRestored) : t.restored(name) });
      else showToast({ text: t[state](name) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["backups", "contents"] }),
  });
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 wrap-anywhere">
          {link ? (
            <Link {...link} className="underline decoration-line underline-offset-2 hover:decoration-current">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className="text-sm text-soft">
          {t.states[record.state]} · {t.created(formatAgo(record.createdAt))}
        </p>
      </div>
      {record.state === "deleted" && (
        <Button
          icon={<RotateCcw aria-hidden="true" />}
          aria-label={words.restoreOne(name)}
          isBusy={restore.isPending}
          onClick={() => restore.mutate()}
        >
          <span className="max-sm:hidden">{words.restore}</span>
        </Button>
      )}
      {record.state === "trashed" && (
        <Link to="/trash" className={buttonClass()}>
          {words.openTrash}
        </Link>
      )}
    </li>
  );
}
