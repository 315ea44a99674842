import { readToken } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import type { Granting } from "./grants.ts";
import type { Route } from "./route.ts";

/**
 * Whether a response may depend on who asks: then no cache may store it. A `personal` response may, unless its handler returns
 * that it is public. A `private` one does in any case.
 */
export type Privacy = "public" | "personal" | "private";

/** Decided by the route and the request, before the handler is called, so that errors are never less private than results. */
export function privacyOf(exchange: Exchange, route: Route, grants: Granting): Privacy {
  if (route.role || route.isPrivate || grants.isAsked(exchange)) return "private";
  if (!route.personal) return "public";
  return exchange.request.headers.has("authorization") || readToken(exchange) ? "personal" : "public";
}

/** `isPublic` is what the handler has returned. */
export const isPrivate = (privacy: Privacy, isPublic: boolean): boolean =>
  privacy === "private" || (privacy === "personal" && !isPublic);
