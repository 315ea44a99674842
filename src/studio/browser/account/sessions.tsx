import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SessionEntry } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatDay } from "../lib/format.ts";
import { say } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { accountTexts as t } from "./texts.ts";

/** Where the person is signed in. */
export function Sessions() {
  const queries = useQueryClient();
  const listed = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => api.listSessions({ pageSize: 100 }, { signal }),
  });
  const reload = () => queries.invalidateQueries({ queryKey: ["sessions"] });
  const end = useMutation({
    mutationFn: ({ id }: SessionEntry) => api.endSession({ id }),
    onSuccess: (_, session) => say({ text: t.ended(nameOf(session)) }),
    onSettled: reload,
  });
  const endOthers = useMutation({
    mutationFn: () => api.endOtherSessions({}),
    onSuccess: () => say({ text: t.endedOthers }),
    onSettled: reload,
  });

  return (
    <Card>
      <h2 className="mb-1 text-lg font-semibold">{t.sessions}</h2>
      <Result of={listed}>
        {({ items }) => (
          <>
            <ul className="divide-y divide-line">
              {items.map((session) => (
                <li key={session.id} className="flex items-center gap-3 py-3">
                  <div className="min-w-0 flex-1">
                    <p className="truncate font-medium">{nameOf(session)}</p>
                    <p className="text-sm text-soft">
                      {[
                        session.address,
                        t.used(formatAgo(session.lastSeenAt)),
                        t.signedIn(formatDay(session.createdAt)),
                      ]
                        .filter(Boolean)
                        .join(" · ")}
                    </p>
                  </div>
                  {session.isCurrent ? (
                    <span className="rounded-full bg-tint px-3 py-1 text-sm whitespace-nowrap">{t.thisOne}</span>
                  ) : (
                    <Button
                      look="quiet"
                      aria-label={t.endOf(nameOf(session))}
                      isBusy={end.isPending && end.variables.id === session.id}
                      onClick={() => end.mutate(session)}
                    >
                      {t.end}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {items.length > 1 && (
              <Button className="mt-3" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
                {t.endOthers}
              </Button>
            )}
          </>
        )}
      </Result>
    </Card>
  );
}

const nameOf = ({ client }: SessionEntry): string => client ?? t.unknown;
