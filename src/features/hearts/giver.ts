import { readCookie, refuseForeignPage, setCookie } from "../../platform/http/credentials.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { createToken, hashToken, isToken } from "../../platform/auth/link-tokens.ts";

const year = 365 * 24 * 3600;
const cookieName = (isSecure: boolean) => (isSecure ? "__Host-hearts" : "vitrine-hearts");

/** Who gives hearts from here; null for a guest who has given none. */
export function findGiver(exchange: Exchange, viewer: Viewer): string | null {
  if (viewer) return giverOf(viewer.id);
  const token = readCookie(exchange.request, cookieName(exchange.isSecure));
  return token && isToken(token) ? giverWith(token) : null;
}

/**
 * The same, and the headers that make a guest known from now on: by a random number in a cookie, and nothing else. Throws if
 * the page of another site has sent the request.
 */
export function nameGiver(exchange: Exchange, viewer: Viewer): { giver: string; headers: Record<string, string> } {
  refuseForeignPage(exchange);
  const known = findGiver(exchange, viewer);
  if (known !== null) return { giver: known, headers: {} };
  const token = createToken();
  const cookie = setCookie(exchange, cookieName(exchange.isSecure), token, { maxAge: year });
  return { giver: giverWith(token), headers: { "Set-Cookie": cookie } };
}

export const giverOf = (userID: number): string => `user:${userID}`;

const giverWith = (token: string): string => `guest:${hashToken(token)}`;
