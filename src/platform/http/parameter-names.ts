import { pageQuery } from "./pages.ts";
import type { Route } from "./route.ts";

const known = new WeakMap<Route, Set<string>>();

/** The names of the parameters in a query that the route knows. */
export function parameterNames(route: Route): Set<string> {
  const { query, paged, cursor } = route;
  let names = known.get(route);
  if (!names) {
    names = new Set(Object.keys({ ...query?.shape, ...(paged && pageQuery.shape), ...cursor?.query.shape }));
    known.set(route, names);
  }
  return names;
}
