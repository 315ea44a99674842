import { TrieRouter } from "hono/router/trie-router";
import { once } from "../once.ts";
import type { Route } from "./route.ts";

/** The route of a request, and the parts of its path, by their names. */
export type Match = { route: Route; texts: Record<string, string> };

export type Router = {
  /** If two paths match, one without parameters wins; of others, the route that was declared first. */
  match(method: string, path: string): Match | null;
  /** The routes of a path, one for each of its methods. */
  routesAt(path: string): Route[];
};

export type GrowingRouter = Router & {
  /** Loads the other routes if they may have this path; null if they are loaded already or not needed. */
  growFor(method: string, path: string): Promise<void> | null;
};

/** Routes that are loaded when one of them may be requested: with `below`, these paths and all below them, else any. */
export type LaterRoutes = { below?: readonly string[]; load(): Promise<readonly Route[]> };

/** A router to which other routes are added when they are first needed. No path of `routes` with parameters is among theirs. */
export function createGrowingRouter(routes: Route[], later: readonly LaterRoutes[] = []): GrowingRouter {
  let known = routes;
  let router = createRouter(known);
  const waiting = new Set(
    later.map(({ below, load }) => {
      const group = {
        mayHave: (path: string) => below?.some((one) => path === one || path.startsWith(`${one}/`)) ?? false,
        isOfAny: !below,
        grow: once(async () => {
          const loaded = await load();
          known = [...known, ...loaded];
          router = createRouter(known);
          waiting.delete(group);
        }),
      };
      return group;
    }),
  );
  return {
    match: (method, path) => router.match(method, path),
    routesAt: (path) => router.routesAt(path),
    growFor(method, path) {
      for (const group of waiting) if (group.mayHave(path)) return group.grow();
      if (waiting.size === 0 || router.match(method, path)) return null;
      for (const group of waiting) if (group.isOfAny) return group.grow();
      return null;
    },
  };
}

/**
 * Paths without parameters are looked up in a map, and so are paths in which all parameters are numbers, as ids are. The
 * others are matched by a router of Hono. It is not the one for regular expressions, which refuses pairs such as
 * `/files/dir/*` and `/files/:id`.
 */
export function createRouter(routes: Route[]): Router {
  const fixed = new Map<string, Match>();
  const patterns = new TrieRouter<Route>();
  for (const route of routes) {
    if (/[:*]/.test(route.path)) patterns.add(route.method, route.path, route);
    else fixed.set(`${route.method} ${route.path}`, { route, texts: {} });
  }
  const withNumbers = new Map<string, { route: Route; names: string[] }>();
  const examined = new Set<Route>();
  const methods = new Set(routes.map(({ method }) => method));
  const beginnings = new Set(routes.flatMap(({ path }) => beginningsOf(withoutNames(path))));

  return {
    match,
    routesAt: (path) => [...methods].flatMap((method) => match(method, path)?.route ?? []),
  };

  function match(method: string, path: string): Match | null {
    const known = fixed.get(`${method} ${path}`) ?? matchNumbers(method, path);
    if (known) return known;
    const found = matchPattern(method, path);
    if (!found || hasWord(found)) return null;
    if (!examined.has(found.route)) examine(found.route);
    return found;
  }

  /** Whether the path has a word of another route where this one has an id: `/files/dir` of `/files/dir/*` is not `/files/:id`. */
  function hasWord({ route: { path, isPage }, texts }: Match): boolean {
    if (isPage) return false;
    const names = [...path.matchAll(/:(\w+)/g)];
    return names.some(({ index, 1: name = "" }) => beginnings.has(withoutNames(path.slice(0, index)) + texts[name]));
  }

  /** Adds a route that was found by its pattern to `withNumbers`, if all its parameters can be numbers. */
  function examine(route: Route): void {
    examined.add(route);
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const path = route.path.replaceAll(/:\w+/g, "1");
    if (path.match(numberParts)?.length !== names.length || matchPattern(route.method, path)?.route !== route) return;
    withNumbers.set(`${route.method} ${withoutNumbers(path)}`, { route, names });
  }

  function matchNumbers(method: string, path: string): Match | null {
    const found = withNumbers.get(`${method} ${withoutNumbers(path)}`);
    if (!found) return null;
    const numbers = path.match(numberParts) ?? [];
    const texts: Record<string, string> = {};
    found.names.forEach((name, index) => (texts[name] = numbers[index]?.slice(1) ?? ""));
    return { route: found.route, texts };
  }

  function matchPattern(method: string, path: string): Match | null {
    // This router returns the parameters themselves, not where they are in the path.
    const [first] = patterns.match(method, path)[0] as [Route, Record<string, string>][];
    return first ? { route: first[0], texts: first[1] } : null;
  }
}

const numberParts = /\/\d+(?=\/|$)/g;
/** The parts of a path of a route, from its start to each of its slashes and to its end. */
const beginningsOf = (path: string) => Array.from(path.matchAll(/\/|$/g), ({ index }) => path.slice(0, index));
/** No URL contains a space. */
const withoutNames = (path: string) => path.replaceAll(/:\w+/g, " ");
const withoutNumbers = (path: string) => path.replaceAll(numberParts, "/ ");
