import type { Route } from "./route.ts";

/** Headers of the platform itself; the others are declared with the routes. */
const sentAnywhere =
  "Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Total-Count";
const acceptedAnywhere =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-HTTP-Method-Override, X-Request-Id";
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

export type CORS = {
  /** The response headers that scripts of another origin may read. */
  readonly exposed: string;
  readonly headers: Record<string, string>;
  preflight(routes: Route[]): Response;
};

/** What scripts of other origins may send and read. No credentials: only bearer tokens are used. */
export function createCORS(routes: Route[], pathHeaders: Record<string, Record<string, string>>): CORS {
  // No browser shows the cookies of a response to a script.
  const sent = [
    ...routes.flatMap(({ responseHeaders = [] }) => responseHeaders).filter((name) => name !== "Set-Cookie"),
    ...Object.values(pathHeaders).flatMap(Object.keys),
  ];
  const exposed = extend(sentAnywhere, sent);
  const accepted = extend(
    acceptedAnywhere,
    routes.flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": exposed };
  return {
    exposed,
    headers,
    preflight: (there) =>
      new Response(null, {
        status: 204,
        headers: {
          ...headers,
          "Access-Control-Allow-Methods": methods,
          "Access-Control-Allow-Headers": accepted,
          "Access-Control-Max-Age": "86400",
          Allow: allowedMethods(there),
        },
      }),
  };
}

/** The headers of the route that scripts of other origins may not send, or not read, unless it declares them. */
export function ownHeaders({ headers = {}, responseHeaders = [] }: Route): string[] {
  const [sent, accepted] = [`Set-Cookie, ${sentAnywhere}`.split(", "), acceptedAnywhere.split(", ")];
  return [
    ...Object.keys(headers).filter((name) => !accepted.includes(name)),
    ...responseHeaders.filter((name) => !sent.includes(name)),
  ];
}

/** The list with the names that it does not contain yet. */
function extend(list: string, names: string[]): string {
  const known = list.split(", ");
  return [...known, ...[...new Set(names)].filter((name) => !known.includes(name)).toSorted()].join(", ");
}

export function allowedMethods(routes: Route[]): string {
  return [...routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method)), "OPTIONS"].join(", ");
}
