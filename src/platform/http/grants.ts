import type { Exchange } from "./exchange.ts";
import type { Grants, Route, Viewer } from "./route.ts";

export const noGrants: Grants = { headers: {}, find: async () => null };

export type Granting = ReturnType<typeof createGranting>;

/** The grants of an app with these routes. */
export function createGranting({ headers, find, readPath }: Grants, routes: Route[]) {
  const names = Object.keys(headers);
  const granted = new Set<unknown>(routes.filter((route) => route.granted));
  const isAsked = ({ request, grantToken }: Exchange) =>
    grantToken !== null || names.some((name) => request.headers.has(name));
  return {
    readPath: (path: string) => readPath?.(path) ?? null,
    /** Whether the request asks for a grant: its response is for no one else. */
    isAsked,
    /** The viewer with the grant of the request, if it has one. */
    async add(exchange: Exchange, member: Viewer): Promise<Viewer> {
      const grant = isAsked(exchange) ? await find(exchange) : null;
      return grant ? { ...(member ?? { id: 0, role: "guest" }), grant } : member;
    },
    /** For every response of a route that accepts grants. */
    addVary({ operation }: Exchange, response: Response): void {
      if (granted.has(operation)) response.headers.append("Vary", names.join(", "));
    },
  };
}
