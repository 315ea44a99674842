import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Link2 } from "lucide-react";
import type { Share } from "../../client/src/index.ts";
import { linkToRecord } from "../lib/links.ts";
import { useIsAdmin } from "../lib/me.ts";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { sharedKinds } from "./kinds.ts";
import { ShareLine } from "./share-line.tsx";
import { sharesQuery } from "./shares-query.ts";
import { shareTexts as t } from "./texts.ts";
import { useWaiting } from "./waiting.ts";
import { WaitingList } from "./waiting-list.tsx";

/** All links with their use, and the pictures that guests have sent through them. */
export function SharesScreen() {
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const search: { tab?: string; owner?: string } = useSearch({ strict: false });
  const owner = isAdmin && search.owner === "all" ? "all" : "me";
  const shares = useQuery(sharesQuery(owner));
  const waiting = useWaiting(shares.data ?? []).data ?? [];
  const show = (changes: Record<string, string>) =>
    void navigate({ to: "/shares", search: { ...search, ...changes }, replace: true });
  return (
    <Screen
      title={t.title}
      actions={
        isAdmin && (
          <select
            aria-label={t.owner}
            className="control"
            value={owner}
            onChange={({ target }) => show({ owner: target.value })}
          >
            <option value="me">{t.mine}</option>
            <option value="all">{t.everyone}</option>
          </select>
        )
      }
    >
      <Tabs
        value={search.tab ?? "links"}
        onChange={(tab) => show({ tab })}
        tabs={[
          {
            name: "links",
            label: t.all,
            content: <Result of={shares}>{(list) => <Links shares={list} />}</Result>,
          },
          {
            name: "waiting",
            label: waiting.length > 0 ? t.waitingCount(waiting.length) : t.waiting,
            content: <Result of={shares}>{() => <WaitingList guests={waiting} />}</Result>,
          },
        ]}
      />
    </Screen>
  );
}

function Links({ shares }: { shares: readonly Share[] }) {
  if (shares.length === 0) {
    return (
      <Empty icon={<Link2 />} title={t.none}>
        {t.noneHint}
      </Empty>
    );
  }
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface pl-4">
      {shares.map((share) => (
        <li key={share.id} className="pr-2">
          <ShareLine share={share} name={<Name share={share} />} />
        </li>
      ))}
    </ul>
  );
}

function Name({ share }: { share: Share }) {
  const { kind, recordID, title } = share;
  const { one } = sharedKinds[kind];
  const text = title === null ? `${one}: ${t.deletedRecord}` : title || one;
  const link = title === null ? null : linkToRecord(kind, recordID);
  return (
    <p className="flex">
      {link ? (
        <Link {...link} className="truncate font-medium text-ink hover:underline" dir="auto">
          {text}
        </Link>
      ) : (
        <span className="truncate font-medium">{text}</span>
      )}
    </p>
  );
}
