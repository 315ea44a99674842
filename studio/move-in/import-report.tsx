import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Import, ImportItem } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatNumber } from "../lib/format.ts";
import { linkToRecord } from "../lib/links.ts";
import { useListed } from "../lib/listed.ts";
import { words } from "../lib/words.ts";
import { MoreButton } from "../ui/more-button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { moveInTexts as t } from "./texts.ts";

type Line = Pick<ImportItem, "id" | "name" | "outcome" | "reason" | "record">;
const outcomes = ["refused", "noted", "added", "changed", "known"] as const;
type Filter = (typeof outcomes)[number] | "photos" | "all";

/** The outcome of each item: first what was not imported, with the reason. */
export function ImportReport({ import: one }: { import: Import }) {
  const { id, items, refused, isDryRun } = one;
  const [filter, setFilter] = useState<Filter>(items.refused > 0 ? "refused" : "all");
  const names = isDryRun ? t.triedCounts : t.counts;
  const choices: { filter: Filter; label: string }[] = [
    { filter: "all", label: t.everything },
    ...outcomes.flatMap((outcome) =>
      items[outcome] > 0 ? [{ filter: outcome, label: `${names[outcome]} (${formatNumber(items[outcome])})` }] : [],
    ),
    ...(refused > 0 ? [{ filter: "photos" as const, label: `${t.photosRefused} (${formatNumber(refused)})` }] : []),
  ];
  const listed = useListed(["imports", id, "items", filter], (cursor, signal) => readLines(id, filter, cursor, signal));
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{t.report}</h2>
        <select
          aria-label={t.show}
          className="control max-w-full"
          value={filter}
          onChange={({ target }) => setFilter(target.value as Filter)}
        >
          {choices.map((choice) => (
            <option key={choice.filter} value={choice.filter}>
              {choice.label}
            </option>
          ))}
        </select>
      </div>
      <Result of={listed}>
        {(lines) => {
          if (lines.length === 0) return <p className="py-4 text-center text-soft">{t.nothing}</p>;
          return (
            <>
              <ul className="divide-y divide-line">
                {lines.map((line) => (
                  <ReportLine key={line.id} line={line} names={names} />
                ))}
              </ul>
              <MoreButton of={listed} label={words.showMore} className="mt-3" />
            </>
          );
        }}
      </Result>
    </Card>
  );
}

async function readLines(id: number, filter: Filter, cursor: string, signal: AbortSignal) {
  const page = { id, cursor, pageSize: 100 };
  if (filter !== "photos")
    return api.listImportItems({ ...page, ...(filter !== "all" && { outcome: filter }) }, { signal });
  const { items, next } = await api.listImportedFiles({ ...page, outcome: "refused" }, { signal });
  const toLine = ({ fileID, name, reason }: (typeof items)[number]): Line => ({
    id: fileID,
    name,
    reason,
    outcome: "refused",
    record: null,
  });
  return { items: items.map(toLine), next };
}

function ReportLine({ line, names }: { line: Line; names: Record<Line["outcome"], string> }) {
  const { name, outcome, reason, record } = line;
  const link = record && linkToRecord(record.kind, record.id);
  return (
    <li className="py-2">
      <p className="wrap-anywhere">
        {link ? (
          <Link {...link} className="underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
      <p className="text-sm wrap-anywhere text-soft">{reason ?? names[outcome]}</p>
    </li>
  );
}
