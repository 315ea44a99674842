import { forbidden } from "../errors.ts";
import { type Exchange, originOf } from "./exchange.ts";

/** The name of the cookie of a browser's session. Over HTTPS, browsers accept the name from this host alone. */
const sessionCookie = (isSecure: boolean) => (isSecure ? "__Host-vitrine" : "vitrine");

/** The request headers on which it depends who the caller is, for Vary. */
export const callerHeaders = "Authorization, Cookie, Sec-Fetch-Site";

/** The token of a request: that of its Authorization header, or else that of a browser's session. */
export function readToken(exchange: Exchange): string | undefined {
  const header = readBearer(exchange);
  return header === null ? readSession(exchange) : /^Bearer +([\w.~+/=-]+)$/i.exec(header)?.[1];
}

/** Whether the request has a token of its own, be it valid or not: then nothing that it does is done by the session of a browser. */
export const sendsToken = (exchange: Exchange): boolean => readBearer(exchange) !== null;

/** The token of a browser's session, if this request may use it. */
export function readSession(exchange: Exchange): string | undefined {
  const token = sessionToken(exchange);
  return token !== undefined && mayUseSession(exchange) ? token : undefined;
}

/** Throws if a page of another site sends a request that changes something in the session of the browser. */
export function refuseForeignChange(exchange: Exchange): void {
  if (exchange.method === "GET" || sendsToken(exchange) || mayUseSession(exchange)) return;
  if (sessionToken(exchange) !== undefined) throw foreign();
}

/** Throws if a page of another site has sent the request, with or without a session. */
export function refuseForeignPage(exchange: Exchange): void {
  if (senderOf(exchange) === "another site") throw foreign();
}

const foreign = () =>
  forbidden("This request was sent by another site. Send it from a page of this site, or with a token.");

/** Null for other schemes: a proxy may ask for a password of its own, which the browser then sends with every request. */
function readBearer({ request }: Exchange): string | null {
  const header = request.headers.get("authorization");
  return header !== null && /^Basic /i.test(header) ? null : header;
}

/** What changes something must come from a page of this site. What only reads may also come from no page at all. */
function mayUseSession(exchange: Exchange): boolean {
  const sender = senderOf(exchange);
  return sender === "this site" || (sender === "unknown" && exchange.method === "GET");
}

/**
 * Where a request comes from. Browsers say it with everything that changes something: in `Sec-Fetch-Site`, and where
 * they do not send that, as over plain HTTP, in `Origin`.
 */
function senderOf(exchange: Exchange): "this site" | "another site" | "unknown" {
  const { headers } = exchange.request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "none") return site === "same-origin" ? "this site" : "another site";
  const origin = headers.get("origin");
  if (origin === null) return "unknown";
  return isOwnOrigin(exchange, origin) ? "this site" : "another site";
}

/**
 * The configured origin, or that of the host to which the request was sent: the cookies of a host can only come with
 * requests to it. Behind a proxy that is not configured, it is not known whether the client uses HTTPS.
 */
function isOwnOrigin(exchange: Exchange, origin: string): boolean {
  const { host } = exchange;
  if (origin === originOf(exchange) || origin === `https://${host}`) return true;
  return !exchange.isSecure && origin === `http://${host}`;
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

/** The header that starts the session of a browser for this many seconds. Without a token, it removes the cookie. */
export function sessionHeader(exchange: Exchange, token = "", maxAge = 0): { "Set-Cookie": string } {
  return { "Set-Cookie": setCookie(exchange, sessionCookie(exchange.isSecure), token, { maxAge }) };
}

type CookieOptions = { path?: string; maxAge: number };

/** A Set-Cookie header of a cookie that scripts cannot read. */
export function setCookie({ isSecure }: Exchange, name: string, value: string, options: CookieOptions): string {
  const { path = "/", maxAge } = options;
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}
