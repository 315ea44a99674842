import { useInfiniteQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Person } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { useCommands } from "../lib/commands.ts";
import { MoreButton } from "../ui/more-button.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { PersonLine } from "./person-line.tsx";
import { RemovePerson } from "./remove-person.tsx";
import { peopleTexts as t } from "./texts.ts";

export function PeopleScreen() {
  const [text, setText] = useState("");
  const [open, setOpen] = useState<"invite" | Person | null>(null);
  const q = useDeferredValue(text.trim());
  const listed = useInfiniteQuery({
    queryKey: ["people", "list", q],
    queryFn: ({ pageParam, signal }) => api.listPeople({ page: pageParam, pageSize: 50, ...(q && { q }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page) => page.next?.page ?? null,
    placeholderData: (before) => before,
    // Their records are moved in the background.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ isBeingRemoved }) => isBeingRemoved)) ? 3000 : false,
  });
  useCommands([{ label: t.invite, group: t.title, run: () => setOpen("invite") }]);

  return (
    <Screen
      title={t.title}
      actions={
        <Button variant="main" icon={<UserPlus />} onClick={() => setOpen("invite")}>
          {t.invite}
        </Button>
      }
    >
      <Invitations />
      <SearchField label={t.search} value={text} onChange={setText} className="mb-4 w-full md:max-w-sm" />
      <Result of={listed}>
        {({ pages }) => {
          const people = pages.flatMap(({ items }) => items);
          if (people.length === 0) return <Empty title={t.noMatch} />;
          return (
            <ul className="divide-y divide-line rounded-card border border-line bg-surface">
              {people.map((person) => (
                <PersonLine key={person.id} person={person} onRemove={() => setOpen(person)} />
              ))}
            </ul>
          );
        }}
      </Result>
      <MoreButton of={listed} className="mt-4" />
      {open === "invite" && <InviteDialog onClose={() => setOpen(null)} />}
      {open !== null && open !== "invite" && <RemovePerson person={open} onClose={() => setOpen(null)} />}
    </Screen>
  );
}
