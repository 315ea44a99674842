import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SessionEntry } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatDay } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
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
  const revoke = useMutation({
    mutationFn: ({ id }: SessionEntry) => api.endSession({ id }),
    onSuccess: (_, session) => showToast({ text: t.revoked(nameOf(session)) }),
    onSettled: reload,
  });
  const revokeOthers = useMutation({
    mutationFn: () => api.endOtherSessions({}),
    onSuccess: () => showToast({ text: t.revokedOthers }),
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
                        // The server notes only now and then that a session is used.
                        session.isCurrent ? t.inUse : words.lastUsed(formatAgo(session.lastSeenAt)),
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
                      variant="quiet"
                      aria-label={t.revokeOf(nameOf(session))}
                      isBusy={revoke.isPending && revoke.variables.id === session.id}
                      onClick={() => revoke.mutate(session)}
                    >
                      {words.signOut}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {items.length > 1 && (
              <Button className="mt-3" isBusy={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
                {t.revokeOthers}
              </Button>
            )}
          </>
        )}
      </Result>
    </Card>
  );
}

const nameOf = ({ client }: SessionEntry): string => client ?? t.unknown;
