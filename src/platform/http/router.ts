import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { Route } from "./route.ts";

export type Match = { route: Route; params: Record<string, string> };

export type Router = {
  /** If two paths match, the route that was declared first wins. */
  match(method: string, path: string): Match | null;
  /** The routes of a path, one for each of its methods. */
  routesAt(path: string): Route[];
};

/** Hono's router. */
export function createRouter(routes: Route[]): Router {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) router.add(route.method, route.path, route);

  const methods = new Set(routes.map(({ method }) => method));

  return {
    match,
    routesAt: (path) => [...methods].flatMap((method) => match(method, path)?.route ?? []),
  };

  function match(method: string, path: string): Match | null {
    const [found, values] = router.match(method, path);
    const first = found[0];
    if (!first) return null;
    const [route, places] = first as [Route, Record<string, number | string>];
    const params: Record<string, string> = {};
    for (const [name, place] of Object.entries(places)) {
      params[name] = typeof place === "number" ? (values?.[place] ?? "") : place;
    }
    return { route, params };
  }
}
