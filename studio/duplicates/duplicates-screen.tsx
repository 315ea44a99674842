import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CopyCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { words } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { duplicatesQuery, keepCopies, keyOf } from "./decide.ts";
import { GroupCard } from "./group-card.tsx";
import { duplicatesTexts as t } from "./texts.ts";

/** Photos that look like copies of one picture. Nothing is done with them until a person says so. */
export function DuplicatesScreen() {
  const found = useQuery(duplicatesQuery);
  const list = useRef<HTMLUListElement>(null);

  /** The place of the group that was decided last: the focus goes on to the one that takes it. */
  const decided = useRef<number | null>(null);
  useEffect(() => {
    const items = list.current?.children;
    const next = decided.current === null ? null : items?.[Math.min(decided.current, items.length - 1)];
    decided.current = null;
    next?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
  }, [found.data]);

  return (
    <Screen title={t.title} about={found.data && found.data.total > 0 ? t.groups(found.data.total) : undefined}>
      <Result of={found}>
        {({ groups, pending }) => (
          <div className="grid gap-4">
            {pending > 0 && <p role="status">{t.pending}</p>}
            {groups.length === 0 ? (
              <Empty
                icon={<CopyCheck />}
                title={t.none}
                action={
                  <Link to="/photos" className={buttonClass()}>
                    {words.toPhotos}
                  </Link>
                }
              >
                {t.noneHint}
              </Empty>
            ) : (
              <ul ref={list} className="grid gap-4">
                {groups.map((group, index) => (
                  <li key={keyOf(group)}>
                    <GroupCard
                      group={group}
                      onDecide={(kept) => {
                        decided.current = index;
                        void keepCopies(group, kept);
                      }}
                    />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Result>
    </Screen>
  );
}
