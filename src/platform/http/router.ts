import { TrieRouter } from "hono/router/trie-router";
import type { Route } from "./route.ts";

export type Match = { route: Route; params: Record<string, string> };

export type Router = {
  /** If two paths match, one without parameters wins; of others, the route that was declared first. */
  match(method: string, path: string): Match | null;
  /** The routes of a path, one for each of its methods. */
  routesAt(path: string): Route[];
};

/**
 * Paths without parameters are looked up in a map, the others by a router of Hono. It is not the one for regular expressions,
 * which refuses pairs such as `/files/dir/*` and `/files/:id`.
 */
export function createRouter(routes: Route[]): Router {
  const fixed = new Map<string, Match>();
  const patterns = new TrieRouter<Route>();
  for (const route of routes) {
    if (/[:*]/.test(route.path)) patterns.add(route.method, route.path, route);
    else fixed.set(`${route.method} ${route.path}`, { route, params: {} });
  }
  const methods = new Set(routes.map(({ method }) => method));

  return {
    match,
    routesAt: (path) => [...methods].flatMap((method) => match(method, path)?.route ?? []),
  };

  function match(method: string, path: string): Match | null {
    const exact = fixed.get(`${method} ${path}`);
    if (exact) return exact;
    // This router returns the parameters themselves, not where they are in the path.
    const [first] = patterns.match(method, path)[0] as [Route, Record<string, string>][];
    return first ? { route: first[0], params: first[1] } : null;
  }
}
