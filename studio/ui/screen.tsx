import type { ReactNode } from "react";
import { useEffect } from "react";
import { explain } from "../lib/explain.ts";
import { translate } from "../lib/language.ts";
import { useSiteName } from "../lib/site-name.ts";
import { words } from "../lib/words.ts";
import { Button, Spinner } from "./button.tsx";
import { classes } from "./classes.ts";

const t = translate({
  en: { loading: "Loading…" },
  de: { loading: "Wird geladen …" },
});

type Props = { title: string; actions?: ReactNode; children: ReactNode; isWide?: boolean; about?: ReactNode };

/** How high the head of a screen is, which stays at the upper edge. */
export const headHeight = 56;

/** The title of a screen with its actions, in one row, and what it shows. */
export function Screen({ title, actions, children, isWide = false, about }: Props) {
  useTitle(title);
  return (
    <div className={classes("mx-auto w-full px-4 pb-8 md:px-8", !isWide && "max-w-5xl")}>
      <header className="sticky top-0 z-20 -mx-4 mb-2 flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 bg-paper px-4 py-1.5 md:-mx-8 md:px-8">
        <div className="min-w-24 flex-1 md:flex md:items-baseline md:gap-3">
          <h1 className="truncate text-xl leading-snug font-semibold md:shrink-0 md:max-w-2/3">{title}</h1>
          {about && <p className="min-w-0 truncate text-xs text-soft md:text-sm">{about}</p>}
        </div>
        {actions && <div className="flex min-w-0 flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  const site = useSiteName();
  useEffect(() => {
    document.title = `${title} · ${site}`;
  }, [title, site]);
}

/** What a list says that has nothing in it, with the action that changes it. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid place-items-center gap-3 rounded-card border border-dashed border-line px-6 py-16 text-center">
      {icon && <div className="text-soft [&>svg]:size-10 [&>svg]:stroke-[1.25]">{icon}</div>}
      <h2 className="text-lg font-semibold">{title}</h2>
      {children && <div className="max-w-md text-soft">{children}</div>}
      {action}
    </div>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div
      role="alert"
      className="grid place-items-center gap-3 rounded-card border border-danger px-6 py-10 text-center"
    >
      <p className="max-w-md">{explain(error)}</p>
      {retry && <Button onClick={retry}>{words.retry}</Button>}
    </div>
  );
}

export function Loading() {
  return (
    <div className="grid place-items-center py-24 text-soft" role="status">
      <Spinner className="!size-6" />
      <span className="sr-only">{t.loading}</span>
    </div>
  );
}

type Query<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown };

/** The result of a query, or that it is loading or has failed. */
export function Result<Data>({ of, children }: { of: Query<Data>; children: (data: Data) => ReactNode }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failure error={of.error} retry={() => void of.refetch()} />;
  return <Loading />;
}

export const Card = ({ children, className }: { children: ReactNode; className?: string }) => (
  <section className={classes("rounded-card border border-line bg-surface p-5", className)}>{children}</section>
);

/** `value` from 0 to 1; without one, how long it takes is not known. */
export function Progress({ value, label }: { value?: number; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
      className="h-1.5 overflow-hidden rounded-full bg-tint"
    >
      <div
        className={classes("h-full rounded-full bg-accent", value === undefined && "w-1/3 animate-pulse")}
        style={value === undefined ? undefined : { width: `${value * 100}%` }}
      />
    </div>
  );
}
