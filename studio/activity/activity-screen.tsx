import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CircleDot, CornerUpRight, Link2, type LucideIcon, Mail, Settings, User, Webhook } from "lucide-react";
import type { Activity } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatDay, formatNumber } from "../lib/format.ts";
import { countOf, findKind, kindNames, recordKinds } from "../lib/kinds.ts";
import { language } from "../lib/language.ts";
import { goneAfter, linkToRecord } from "../lib/links.ts";
import { useListed } from "../lib/listed.ts";
import { words } from "../lib/words.ts";
import { MoreButton } from "../ui/more-button.tsx";
import { RecordThumb } from "../ui/record-thumb.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { inGroups } from "./groups.ts";
import { activityTexts as t } from "./texts.ts";

const choices = [
  ...kindNames.map((kind) => [kind, kind === "post" ? t.postsAndPages : recordKinds[kind].many] as const),
  ...Object.entries(t.otherKinds),
];

/** Who changed what, newest first, by days. */
export function ActivityScreen() {
  const { kind = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const listed = useListed(["activity", kind], (cursor, signal) =>
    api.listActivity({ cursor, pageSize: 500, ...(kind && { kind }) }, { signal }),
  );

  return (
    <Screen
      title={t.title}
      actions={
        <select
          aria-label={words.kind}
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
        {(entries) => {
          if (entries.length === 0) return <Empty title={t.empty} />;
          return (
            <>
              {[...Map.groupBy(entries, ({ createdAt }) => formatDay(createdAt))].map(([day, ofDay]) => (
                <section key={day} className="mb-6">
                  <h2 className="mb-1 font-semibold">{day}</h2>
                  <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4">
                    {inGroups(ofDay).map((group) => (
                      <Line key={group[0].id} group={group} />
                    ))}
                  </ul>
                </section>
              ))}
              <MoreButton of={listed} />
              {!listed.hasNextPage && <p className="text-sm text-soft">{t.end}</p>}
            </>
          );
        }}
      </Result>
    </Screen>
  );
}

const times = new Intl.DateTimeFormat(language, { timeStyle: "short" });

const otherIcons: Record<string, LucideIcon> = {
  share: Link2,
  user: User,
  invitation: Mail,
  redirect: CornerUpRight,
  webhook: Webhook,
  settings: Settings,
};

const iconOf = (entry: Activity): LucideIcon => findKind(entry)?.icon ?? otherIcons[entry.kind] ?? CircleDot;

const imageOf = (group: readonly Activity[]): string | null => group.find(({ image }) => image !== null)?.image ?? null;

/** How many records of a group are listed. */
const maxListed = 50;

function Line({ group }: { group: [Activity, ...Activity[]] }) {
  const [entry] = group;
  const { actor, action, createdAt } = entry;
  const isPictured = imageOf(group) !== null;
  const who = (
    <>
      <span className="font-semibold">{actor ? (actor.username ?? t.removedPerson) : t.server}</span>{" "}
      {t.actions[action]}
    </>
  );
  return (
    <li className="flex items-start gap-3 py-2.5">
      <RecordThumb image={imageOf(group)} icon={iconOf(entry)} />
      {group.length === 1 ? (
        <p className="min-w-0 flex-1 self-center break-words">
          {who} <RecordLink entry={entry} />
        </p>
      ) : (
        <details className="min-w-0 flex-1 self-center">
          <summary className="cursor-pointer break-words">
            {who} {countEntries(group.length, entry)}
          </summary>
          <ul className="grid gap-1 py-1 text-sm">
            {group.slice(0, maxListed).map((one) => (
              <li key={one.id} className="flex items-center gap-2 break-words">
                {isPictured && <RecordThumb image={one.image} icon={iconOf(one)} className="!size-8" />}
                <span className="min-w-0">
                  <RecordLink entry={one} />
                </span>
              </li>
            ))}
            {group.length > maxListed && <li className="text-soft">{words.andMore(group.length - maxListed)}</li>}
          </ul>
        </details>
      )}
      <time dateTime={createdAt} className="text-sm leading-10 whitespace-nowrap text-soft tabular-nums">
        {times.format(new Date(createdAt))}
      </time>
    </li>
  );
}

/** Such as “3 photos” or “3 share links”. */
function countEntries(count: number, entry: Activity): string {
  const found = findKind(entry);
  const others: Record<string, string> = t.otherCounts;
  return found ? countOf(found, count) : `${formatNumber(count)} ${others[entry.kind] ?? entry.kind}`;
}

/** The name of the record, which leads to it if it still exists and has its own screen. */
function RecordLink({ entry }: { entry: Activity }) {
  const { kind, recordID, name, action } = entry;
  const nouns: Record<string, string> = t.nouns;
  const noun = findKind(entry)?.object ?? nouns[kind] ?? kind;
  const text = name ? `${noun} ${t.quote(name)}` : noun;
  const linkClass = "underline decoration-line underline-offset-2 hover:decoration-current";
  if (kind === "settings") return <Link to="/settings" className={linkClass} children={noun} />;
  if (kind === "redirect" && !goneAfter.has(action))
    return <Link to="/settings/redirects" className={linkClass} children={text} />;
  const link = goneAfter.has(action) ? null : linkToRecord(kind, recordID);
  return link ? <Link {...link} className={linkClass} children={text} /> : <>{text}</>;
}
