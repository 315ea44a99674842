import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ExternalLink, KeyRound, Link as LinkIcon, LogOut, UserMinus } from "lucide-react";
import { useState } from "react";
import { type Person, VitrineError } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatBytes, formatDay } from "../lib/format.ts";
import { useMe } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { mailTexts } from "../mail/texts.ts";
import { MoreMenu } from "../ui/menu.tsx";
import { PasswordLinkDialog } from "./password-link-dialog.tsx";
import { peopleTexts as t } from "./texts.ts";

const roles = ["reader", "author", "admin"] as const;

export function PersonLine({ person, onRemove }: { person: Person; onRemove: () => void }) {
  const { id, username, role, isBeingRemoved } = person;
  const isMe = useMe().id === id;
  const [isLinking, setIsLinking] = useState(false);
  const changeRole = useChangeRole();
  const signOut = useMutation({
    mutationFn: () => api.signOutPerson({ id }),
    onSuccess: () => showToast({ text: t.signedOut(username) }),
  });
  const reset = useMutation({
    mutationFn: () => api.resetFactors({ id }),
    onSuccess: () => showToast({ text: t.factorsReset(username) }),
  });

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium" dir="auto">
          {username}
          {isMe && <span className="ml-2 rounded-full bg-tint px-2 py-0.5 text-sm font-normal text-soft">{t.you}</span>}
        </p>
        <p className="text-sm text-soft">{aboutOf(person)}</p>
      </div>
      {isBeingRemoved ? (
        <span className="text-sm text-notice">{t.removing}</span>
      ) : (
        <>
          <select
            aria-label={t.roleOf(username)}
            title={t.rights[role]}
            className="control"
            value={changeRole.isPending ? changeRole.variables.role : role}
            // Admins who take the role from themselves would lose this screen: another admin can do it.
            disabled={isMe || changeRole.isPending}
            onChange={(event) => changeRole.mutate({ person, role: event.target.value as Person["role"] })}
          >
            {roles.map((name) => (
              <option key={name} value={name}>
                {t.roles[name]}
              </option>
            ))}
          </select>
          <MoreMenu
            label={t.actions(username)}
            items={[
              {
                label: t.page,
                icon: <ExternalLink />,
                run: () => location.assign(`/people/${encodeURIComponent(username)}`),
              },
              { label: t.signOut, icon: <LogOut />, run: () => signOut.mutate() },
              { label: mailTexts.passwordLink, icon: <LinkIcon />, isDisabled: isMe, run: () => setIsLinking(true) },
              { label: t.resetFactors, icon: <KeyRound />, isDisabled: isMe, run: () => reset.mutate() },
              null,
              { label: t.remove, icon: <UserMinus />, isDanger: true, isDisabled: isMe, run: onRemove },
            ]}
          />
        </>
      )}
      {isLinking && <PasswordLinkDialog person={person} onClose={() => setIsLinking(false)} />}
    </li>
  );
}

function aboutOf({ createdAt, counts, bytes }: Person): string {
  const parts = [
    t.joined(formatDay(createdAt)),
    counts.photos > 0 && t.photos(counts.photos),
    counts.posts > 0 && t.posts(counts.posts),
    counts.files > 0 && t.files(counts.files),
    counts.comments > 0 && t.comments(counts.comments),
    bytes > 0 && formatBytes(bytes),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The change is announced with an offer to undo it. */
function useChangeRole() {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ person, role }: { person: Person; role: Person["role"] }) =>
      api.changePerson({ id: person.id, role }),
    onSuccess: (_, { person, role }) =>
      showToast({
        text: t.roleChanged(person.username, t.roles[role]),
        undo: () => change.mutate({ person: { ...person, role }, role: person.role }),
      }),
    onError(error, { person }) {
      const isWeak = error instanceof VitrineError && error.field === "role";
      showToast({ text: isWeak ? t.weakPassword(person.username) : explain(error), isFailure: true });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });
  return change;
}
