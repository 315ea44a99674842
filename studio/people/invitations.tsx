import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Invitation } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatDay } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/screen.tsx";
import { peopleTexts as t } from "./texts.ts";

/** The invitations that have not been used yet. Nothing if there are none. */
export function Invitations() {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["people", "invitations"],
    queryFn: ({ signal }) => api.listInvitations({ pageSize: 100 }, { signal }),
  });
  const revoke = useMutation({
    mutationFn: ({ id }: Invitation) => api.revokeInvitation({ id }),
    onSuccess: () => showToast({ text: t.revoked }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["people", "invitations"] }),
  });
  if (!data?.items.length) return null;
  return (
    <Card className="mb-6">
      <h2 className="font-semibold">{t.invitations}</h2>
      <ul className="divide-y divide-line">
        {data.items.map((invitation) => (
          <li key={invitation.id} className="flex items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate" dir="auto">
                {noteOf(invitation)}
              </p>
              <p className="text-sm text-soft">{aboutOf(invitation)}</p>
            </div>
            <Button
              variant="quiet"
              aria-label={t.revokeOf(noteOf(invitation))}
              isBusy={revoke.isPending && revoke.variables.id === invitation.id}
              onClick={() => revoke.mutate(invitation)}
            >
              {t.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const noteOf = ({ note }: Invitation): string => note || t.withoutNote;

const aboutOf = ({ role, expiresAt, createdBy }: Invitation): string =>
  [words.roles[role], t.by(createdBy.username), expiresAt ? words.until(formatDay(expiresAt)) : t.forEver].join(" · ");
