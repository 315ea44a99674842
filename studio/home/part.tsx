import type { ReactNode } from "react";
import { classes } from "../ui/classes.ts";

export const list = "divide-y divide-line overflow-hidden rounded-card border border-line bg-surface";
export const line = "flex min-h-12 items-center gap-3 px-4 py-2.5";

/** `all` is a link to the whole list. */
export const Part = ({ title, all, children }: { title: string; all?: ReactNode; children: ReactNode }) => (
  <section className="min-w-0">
    <header
      className={classes(
        "mb-2 flex items-baseline justify-between gap-4",
        "[&>a]:py-1 [&>a]:text-sm [&>a]:text-soft [&>a]:underline [&>a]:decoration-line [&>a]:underline-offset-2",
      )}
    >
      <h2 className="font-semibold">{title}</h2>
      {all}
    </header>
    {children}
  </section>
);
