import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { File, FileUses } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { findKind } from "../lib/kinds.ts";
import { linkToRecord } from "../lib/links.ts";
import { Result } from "../ui/screen.tsx";
import { fileTexts as t } from "./texts.ts";

type Use = FileUses["uses"][number];

/** The photos, posts, albums and links that need this file. */
export function UsedIn({ file }: { file: File }) {
  const uses = useQuery({
    queryKey: ["files", "uses", file.id],
    queryFn: ({ signal }) => api.listFileUses({ id: file.id }, { signal }),
  });
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">{t.usedIn}</h3>
      <Result of={uses}>
        {({ uses, isComplete }) => (
          <>
            {uses.length === 0 && <p className="text-sm text-soft">{t.notUsed}</p>}
            <ul className="grid gap-1 text-sm">
              {uses.map((use) => (
                <li key={`${use.kind} ${use.id} ${use.as}`} className="flex gap-2">
                  <span className="text-soft">{findKind(use)?.one ?? t.uses[use.kind] ?? use.kind}</span>
                  <UseLink use={use} />
                </li>
              ))}
            </ul>
            {!isComplete && <p className="text-sm text-soft">{t.usesIncomplete}</p>}
          </>
        )}
      </Result>
    </section>
  );
}

function UseLink({ use: { kind, id, name } }: { use: Use }) {
  const linkClass = "min-w-0 truncate text-accent underline";
  const link = id === null ? null : linkToRecord(kind, id);
  if (link) return <Link {...link} className={linkClass} children={name || `#${id}`} />;
  if (kind === "share") return <Link to="/shares" className={linkClass} children={t.uses.share} />;
  return <span className="min-w-0 truncate">{name}</span>;
}
