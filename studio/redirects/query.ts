import { api } from "../lib/api.ts";
import { useListed } from "../lib/listed.ts";
import { queries } from "../lib/queries.ts";

/** Newest first; with `q`, those whose old address contains it. */
export const useRedirects = (q: string) =>
  useListed(
    ["redirects", q],
    (cursor, signal) => api.listRedirects({ cursor, pageSize: 100, ...(q && { q }) }, { signal }),
    { keepsBefore: true },
  );

export const reloadRedirects = () => queries.invalidateQueries({ queryKey: ["redirects"] });
