import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { Route } from "./route.ts";

export type Match = { route: Route; params: Record<string, string> };

/** Hono's router. Where two paths fit, the route that was declared first wins. */
export function createRouter(routes: Route[]): (method: string, path: string) => Match | null {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) router.add(route.method, route.path, route);

  return (method, path) => {
    const [found, values] = router.match(method, path);
    const first = found[0];
    if (!first) return null;
    const [route, places] = first as [Route, Record<string, number | string>];
    const params: Record<string, string> = {};
    for (const [name, place] of Object.entries(places)) {
      params[name] = typeof place === "number" ? (values?.[place] ?? "") : place;
    }
    return { route, params };
  };
}
