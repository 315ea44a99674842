import { type CursorRequest, readCursor } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import { type PageRequest, readPage } from "./pages.ts";
import type { Route } from "./route.ts";
import { validate } from "./validate.ts";

/** What the query asks for. What the route does not declare is null. */
type Query = { query: object | null; page: PageRequest | null; cursor: CursorRequest | null };

/** The step `query`: the parameters that the route declares (400). */
export function readQuery(route: Route, { path, search }: Exchange): Query {
  const sent = new URLSearchParams(search);
  const query = route.query ? validate(route.query, Object.fromEntries(sent)) : null;
  const page = route.paged ? readPage(sent) : null;
  return { query, page, cursor: readCursor(route, path, sent, query ?? {}) };
}
