import type { Exchange } from "./exchange.ts";
import type { Grants, Route, Viewer } from "./route.ts";

export const noGrants: Grants = { headers: {}, find: async () => null };

export type Granting = ReturnType<typeof createGranting>;

/** The grants of an app with these routes. */
export function createGranting({ headers, find, readPath }: Grants, routes: Route[]) {
  const names = Object.keys(headers);
  const declared = new Set<unknown>(routes);
  const isAsked = ({ request, grantToken }: Exchange) => {
    if (grantToken !== null) return true;
    for (const name of names) if (request.headers.has(name)) return true;
    return false;
  };
  return {
    readPath: (path: string) => readPath?.(path) ?? null,
    /** Whether the request asks for a grant: its response is for no one else. */
    isAsked,
    /** The viewer with the grant of the request, if it has one. */
    async add(exchange: Exchange, member: Viewer): Promise<Viewer> {
      const grant = isAsked(exchange) ? await find(exchange) : null;
      return grant ? { ...(member ?? { id: 0, role: "guest" }), grant } : member;
    },
    /** Whether the route accepts grants: then all its responses vary by these headers. */
    isGranted: (operation: unknown) => declared.has(operation) && (operation as Route).granted === true,
    vary: names.join(", "),
  };
}
