import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Import } from "../../client/src/index.ts";
import { formatNumber, formatTime } from "../lib/format.ts";
import { useIsAdmin } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { Card, Result, Screen } from "../ui/screen.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { NewImport } from "./new-import.tsx";
import { importsQuery, isWorking } from "./query.ts";
import { serverTexts } from "./server-texts.ts";
import { moveInTexts as t } from "./texts.ts";

/** What can be brought along from elsewhere, and what was. */
export function MoveInScreen() {
  const imports = useQuery(importsQuery);
  const isAdmin = useIsAdmin();
  return (
    <Screen title={t.title}>
      <p className="mb-5 max-w-prose text-soft">
        {t.intro}
        {isAdmin && (
          <>
            {" "}
            {t.oldLinks}{" "}
            <Link to="/settings/redirects" className="underline">
              {t.redirects}
            </Link>
          </>
        )}
      </p>
      <div className="grid grid-cols-1 gap-6">
        {imports.data?.filter(isWorking).map((one) => (
          <Card key={one.id}>
            <ImportProgress import={one} />
            <Link to="/move-in/$id" params={{ id: String(one.id) }} className="mt-3 inline-block underline">
              {one.source}
            </Link>
          </Card>
        ))}
        <NewImport />
        <Sources />
        <Result of={imports}>{(list) => <Earlier imports={list} />}</Result>
      </div>
    </Screen>
  );
}

const Sources = () => (
  <section aria-labelledby="sources">
    <h2 id="sources" className="mb-3 text-lg font-semibold">
      {t.sources}
    </h2>
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {t.sourceList.map(({ name, how }) => (
        <li key={name} className="rounded-card border border-line bg-surface p-4">
          <h3 className="font-semibold">{name}</h3>
          <p className="mt-1 text-sm text-soft">{how}</p>
        </li>
      ))}
    </ul>
  </section>
);

function Earlier({ imports }: { imports: readonly Import[] }) {
  if (imports.length === 0) return null;
  return (
    <Card>
      <h2 className="mb-2 text-lg font-semibold">{t.earlier}</h2>
      <ul className="divide-y divide-line">
        {imports.map((one) => (
          <li key={one.id} className="grid gap-x-4 py-2.5 sm:grid-cols-[1fr_auto]">
            <Link to="/move-in/$id" params={{ id: String(one.id) }} className="wrap-anywhere underline">
              {one.source}
            </Link>
            <time dateTime={one.createdAt} className="text-sm text-soft">
              {formatTime(one.createdAt)}
            </time>
            <p className="text-sm text-soft sm:col-span-2">{describe(one)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function describe({ status, isDryRun, items, imported, needsKey }: Import): string {
  const names = isDryRun ? t.triedCounts : t.counts;
  const counted = (Object.keys(names) as (keyof typeof names)[]).flatMap((name) =>
    items[name] > 0 ? [`${names[name]}: ${formatNumber(items[name])}`] : [],
  );
  const photos = imported > 0 ? [`${words.photos}: ${formatNumber(imported)}`] : [];
  return [isDryRun ? t.dryRun : null, needsKey ? serverTexts.waits : t.states[status], ...counted, ...photos]
    .filter(Boolean)
    .join(" · ");
}
