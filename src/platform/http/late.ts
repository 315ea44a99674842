import { once } from "../once.ts";
import { ownHeaders } from "./cors.ts";
import type { Route } from "./route.ts";

/** Routes whose code is loaded when one of them is first requested. All methods of a path belong together. */
export type LateRoutes = {
  /** Each as `GET /path`. */
  names: readonly string[];
  /** Those of them that the base specification defines, so that they have its statuses also if they cannot be loaded. */
  base?: readonly string[];
  /** Headers of their own: what scripts of other origins may send and read does not change. */
  headers?: readonly string[];
  responseHeaders?: readonly string[];
  load(): Promise<readonly Route[]>;
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** Routes that have a method, a path and `load`, until they have been loaded. */
export function declareLate({ names, base = [], headers = [], responseHeaders = [], load }: LateRoutes): Route[] {
  const routes = names.map((name): Route => {
    const [method, path] = name.split(" ") as [Route["method"], Route["path"]];
    const shell = { name, tag: "", summary: "", response: { contentTypes: [], description: "" }, handle: () => null };
    const accepted = Object.fromEntries(headers.map((header) => [header, { description: "", example: "" }]));
    const isBase = base.includes(name) ? { base: true as const } : {};
    return { method, path, ...shell, ...isBase, headers: accepted, responseHeaders, load: () => fill() };
  });
  const fill = once(async () => {
    const loaded = await load();
    const found = new Map(loaded.map((route) => [nameOf(route), route]));
    const wrong = [
      ...names.filter((name) => !found.has(name)),
      ...[...found.keys()].filter((name) => !names.includes(name)),
      ...loaded.filter((route) => (route.base ?? false) !== base.includes(nameOf(route))).map(nameOf),
      ...loaded.flatMap(ownHeaders).filter((name) => ![...headers, ...responseHeaders].includes(name)),
    ];
    if (wrong.length > 0) throw new Error(`Late routes are not what was declared: ${wrong.join(", ")}.`);
    for (const route of routes) Object.assign(route, nothing, found.get(nameOf(route)));
  });
  return routes;
}

/** What only routes have that have not been loaded. */
const nothing = { load: undefined, headers: undefined, responseHeaders: undefined };

/** For whoever needs more of routes than their methods and paths. */
export async function loadAll(routes: readonly Route[]): Promise<void> {
  await Promise.all(routes.flatMap((route) => route.load?.() ?? []));
}
