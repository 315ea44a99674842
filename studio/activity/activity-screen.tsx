import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Activity } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatDay } from "../lib/format.ts";
import { kindNames, recordKinds } from "../lib/kinds.ts";
import { language } from "../lib/language.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { RecordLink } from "./record-link.tsx";
import { activityTexts as t } from "./texts.ts";

const choices = [...kindNames.map((kind) => [kind, recordKinds[kind].many] as const), ...Object.entries(t.otherKinds)];

/** Who changed what, newest first, by days. */
export function ActivityScreen() {
  const { kind = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const listed = useInfiniteQuery({
    queryKey: ["activity", kind],
    queryFn: ({ pageParam, signal }) =>
      api.listActivity({ cursor: pageParam, pageSize: 100, ...(kind && { kind }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next?.cursor ?? null,
  });

  return (
    <Screen
      title={t.title}
      actions={
        <select
          aria-label={t.kind}
          className="control"
          value={kind}
          onChange={(event) => {
            const chosen = event.target.value;
            void navigate({ to: "/activity", search: chosen ? { kind: chosen } : {}, replace: true });
          }}
        >
          <option value="">{t.everyKind}</option>
          {choices.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      }
    >
      <Result of={listed}>
        {({ pages }) => {
          const entries = pages.flatMap(({ items }) => items);
          if (entries.length === 0) return <Empty title={t.empty} />;
          return (
            <>
              {[...Map.groupBy(entries, ({ createdAt }) => formatDay(createdAt))].map(([day, ofDay]) => (
                <section key={day} className="mb-6">
                  <h2 className="mb-1 font-semibold">{day}</h2>
                  <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4">
                    {ofDay.map((entry) => (
                      <Line key={entry.id} entry={entry} />
                    ))}
                  </ul>
                </section>
              ))}
              {listed.hasNextPage ? (
                <Button isBusy={listed.isFetchingNextPage} onClick={() => void listed.fetchNextPage()}>
                  {t.more}
                </Button>
              ) : (
                <p className="text-sm text-soft">{t.end}</p>
              )}
            </>
          );
        }}
      </Result>
    </Screen>
  );
}

const times = new Intl.DateTimeFormat(language, { timeStyle: "short" });

function Line({ entry }: { entry: Activity }) {
  const { actor, action, createdAt } = entry;
  return (
    <li className="flex items-baseline gap-4 py-2.5">
      <p className="min-w-0 flex-1 break-words">
        <span className="font-semibold">{actor ? (actor.username ?? t.removedPerson) : t.server}</span>{" "}
        {t.actions[action]} <RecordLink entry={entry} />
      </p>
      <time dateTime={createdAt} className="text-sm whitespace-nowrap text-soft tabular-nums">
        {times.format(new Date(createdAt))}
      </time>
    </li>
  );
}
