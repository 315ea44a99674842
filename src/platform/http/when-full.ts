import type { Route } from "./route.ts";

/** The same routes; `refuse` throws while there is no space for what their requests store. */
export function refuseWhenFull(routes: readonly Route[], refuse: () => void): Route[] {
  return routes.map((route) => {
    if (!mayStore(route)) return route;
    const handle: Route["handle"] = (call) => {
      if (!route.whenFull?.(call.body)) refuse();
      return route.handle(call);
    };
    return { ...route, handle };
  });
}

const mayStore = ({ method, noIdempotency }: Route) =>
  method !== "GET" && method !== "DELETE" && noIdempotency !== "read";
