/** @jsxImportSource hono/jsx */

type PagerProps = {
  /** What the pages are pages of. */
  label: string;
  /** The addresses of the pages before and after this one, each with its text; empty or null if there is none. */
  previous?: PageLink;
  next?: PageLink;
};

type PageLink = [href: string, text: string] | "" | null;

/** Links to the pages before and after that of a list. */
export function Pager({ label, previous = null, next = null }: PagerProps) {
  if (!previous && !next) return null;
  return (
    <nav class="pager" aria-label={label}>
      {previous ? (
        <a class="button quiet" rel="prev" href={previous[0]}>
          {previous[1]}
        </a>
      ) : null}
      {next ? (
        <a class="button quiet" rel="next" href={next[0]}>
          {next[1]}
        </a>
      ) : null}
    </nav>
  );
}
