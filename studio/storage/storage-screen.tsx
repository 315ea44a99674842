import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { StorageReport } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatBytes, formatMonth, formatNumber, formatPart } from "../lib/format.ts";
import { useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card, Progress, Result, Screen } from "../ui/screen.tsx";
import { Amounts } from "./amounts.tsx";
import { partsOf, Proportions } from "./proportions.tsx";
import { storageTexts as t } from "./texts.ts";

/** Those who store the most come first. */
const peoplePerPage = 100;

export function StorageScreen() {
  const report = useInfiniteQuery({
    queryKey: ["files", "storage"],
    queryFn: ({ pageParam, signal }) => api.readStorage({ page: pageParam, pageSize: peoplePerPage }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ owners }, pages) => (owners.length < peoplePerPage ? undefined : pages.length + 1),
    select: ({ pages }) => pages,
  });
  const more = report.hasNextPage ? (
    <Button className="mt-3" isBusy={report.isFetchingNextPage} onClick={() => void report.fetchNextPage()}>
      {words.showMore}
    </Button>
  ) : null;
  const [first] = report.data ?? [];
  return (
    <Screen title={t.title} about={first && t.countedAt(formatAgo(first.countedAt))}>
      <Result of={report}>
        {(pages) => (
          <Report {...(pages[0] as StorageReport)} owners={pages.flatMap(({ owners }) => owners)} more={more} />
        )}
      </Result>
    </Screen>
  );
}

/** For admins, the whole site; for others, what is theirs. */
function Report({ site, owners, months, more }: StorageReport & { more: ReactNode }) {
  const me = useMe();
  const mine = owners.find(({ ownerID }) => ownerID === me.id);
  const shown = site ?? mine;
  if (!shown) return null;
  return (
    <div className="grid gap-6">
      <Card>
        <h2 className="text-sm text-soft">{site ? t.wholeSite : t.yours}</h2>
        <p className="mb-4 text-3xl font-semibold tabular-nums">{formatBytes(shown.bytes)}</p>
        <Proportions parts={partsOf(shown, site?.variants ?? null)} />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
          <p className="text-sm text-soft">
            {[
              shown.savedByDeduplication > 0 && t.saved(formatBytes(shown.savedByDeduplication)),
              shown.unfinishedUploads.count > 0 && t.unfinished(formatBytes(shown.unfinishedUploads.bytes)),
              shown.trash.count > 0 ? t.trashHint : t.trashEmpty,
            ]
              .filter(Boolean)
              .join(" ")}
          </p>
          <Link to="/trash" className={buttonClass()}>
            {words.openTrash}
          </Link>
        </div>
      </Card>
      {mine && mine.quota !== null && <Quota used={mine.bytes + mine.unfinishedUploads.bytes} quota={mine.quota} />}
      {site && owners.length > 1 && (
        <Amounts
          title={t.people}
          head={[t.person, words.files]}
          rows={owners.map(({ ownerID, username, files, bytes }) => ({
            key: ownerID,
            name: username,
            count: files.count,
            bytes,
          }))}
          more={more}
        />
      )}
      {months.length > 0 && (
        <Amounts
          title={t.months}
          head={[words.month, words.files]}
          rows={months.map(({ month, count, bytes }) => ({ key: month, name: formatMonth(month), count, bytes }))}
        />
      )}
      {site && (
        <p className="text-sm text-soft">{t.stored(formatBytes(site.stored.bytes), formatNumber(site.stored.count))}</p>
      )}
    </div>
  );
}

const Quota = ({ used, quota }: { used: number; quota: number }) => (
  <Card>
    <h2 className="mb-1 font-semibold">{t.quota}</h2>
    <p className="mb-3">
      {t.usedOf(formatBytes(used), formatBytes(quota))} ({formatPart(used / quota)})
    </p>
    <Progress label={t.quota} value={Math.min(1, used / quota)} />
  </Card>
);
