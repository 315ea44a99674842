import { forbidden } from "../../errors.ts";
import { type Exchange, originOf } from "./exchange.ts";

/** The name of the cookie of a browser's session. Over HTTPS, browsers accept the name from this host alone. */
export const sessionCookie = (isSecure: boolean) => (isSecure ? "__Host-vitrine" : "vitrine");

/** The token of a request: that of its Authorization header, or else that of a browser's session. */
export function readToken(exchange: Exchange): string | undefined {
  const header = exchange.request.headers.get("authorization");
  if (header !== null) return /^Bearer +([\w.~+/=-]+)$/i.exec(header)?.[1];
  return isFromThisSite(exchange) ? sessionToken(exchange) : undefined;
}

/** Throws if a page of another site sends a request that changes something in the session of the browser. */
export function refuseForeignChange(exchange: Exchange): void {
  const { method, request } = exchange;
  if (method === "GET" || request.headers.has("authorization") || isFromThisSite(exchange)) return;
  if (sessionToken(exchange) === undefined) return;
  throw forbidden("This request was sent by another site. Send it from a page of this site, or with a token.");
}

/**
 * Whether the request was sent by a page of this site, or, if it only reads, by no page at all. Browsers that do not say
 * where a request comes from send its origin with everything that changes something.
 */
export function isFromThisSite(exchange: Exchange): boolean {
  const { method, request, baseURL } = exchange;
  const isRead = method === "GET";
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || (isRead && site === "none");
  const origin = request.headers.get("origin");
  if (origin === null) return isRead;
  return origin === originOf(exchange) || (baseURL !== "" && origin === new URL(baseURL).origin);
}

function sessionToken({ request, isSecure }: Exchange): string | undefined {
  return readCookie(request, sessionCookie(isSecure));
}

/** The value of a cookie that this server has set, so it needs no decoding. */
export function readCookie({ headers }: Request, name: string): string | undefined {
  const cookies = headers.get("cookie");
  if (cookies === null) return undefined;
  for (const cookie of cookies.split(";")) {
    const [key = "", value = ""] = cookie.trim().split("=", 2);
    if (key === name && /^[\w.~+/-]+$/.test(value)) return value;
  }
  return undefined;
}

type CookieOptions = { path?: string; maxAge: number };

/** A Set-Cookie header of a cookie that scripts cannot read. */
export function setCookie({ isSecure }: Exchange, name: string, value: string, options: CookieOptions): string {
  const { path = "/", maxAge } = options;
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}
