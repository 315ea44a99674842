import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink, KeyRound, Link as LinkIcon, LogOut, UserMinus } from "lucide-react";
import { useState } from "react";
import { type Person, VitrineError } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatBytes, formatDay } from "../lib/format.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { useMe } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { mailTexts } from "../mail/texts.ts";
import { CopyLink } from "../shares/copy-link.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { MoreMenu } from "../ui/menu.tsx";
import { Result } from "../ui/screen.tsx";
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
                {words.roles[name]}
              </option>
            ))}
          </select>
          <MoreMenu
            label={words.actionsFor(username)}
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
    counts.photos > 0 && countOf(recordKinds.photo, counts.photos),
    counts.posts > 0 && countOf(recordKinds.post, counts.posts),
    counts.files > 0 && countOf(recordKinds.file, counts.files),
    counts.comments > 0 && countOf(recordKinds.comment, counts.comments),
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
        text: t.roleChanged(person.username, words.roles[role]),
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

/** Makes a link with which the person sets a new password, and shows it once. */
function PasswordLinkDialog({ person: { id, username }, onClose }: { person: Person; onClose: () => void }) {
  const link = useQuery({
    queryKey: ["password link", id],
    queryFn: () => api.createPasswordLink({ id }),
    // Each request makes another link, and ends the one before.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog title={mailTexts.passwordLinkFor(username)} onClose={onClose} actions={<DoneButton onClick={onClose} />}>
      <p className="mb-4">{mailTexts.passwordLinkHint}</p>
      <Result of={link}>{({ url }) => <CopyLink url={url} />}</Result>
    </Dialog>
  );
}
