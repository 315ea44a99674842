import { usernameKey } from "../../core/users/user.ts";
import { tooManyGuesses } from "../../core/users/guesses.ts";
import { isKey } from "../../core/keys/store.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { Porter } from "../../platform/http/door.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { Refusal } from "./refusal.ts";

type Credentials = { username: string; password: string };

/**
 * Who asks, by HTTP Basic: the username, and an app key as the password. Nothing else counts, so that no page of another site
 * can use the session of a browser. Wrong ones from an address are limited as those of the sign-in are.
 */
export async function signIn(exchange: Exchange, porter: Porter, guesses: RateLimit): Promise<Caller> {
  const sent = readBasic(exchange.request.headers.get("authorization"));
  const caller = sent && (await findCaller(exchange, porter, sent));
  if (!caller) {
    await porter.limitAddress();
    if (sent) await countGuess(exchange, guesses);
    throw new Refusal(401, "Sign in with your username, and with an app key as the password.", { headers: challenge });
  }
  exchange.callerID = caller.id;
  await porter.limitAccount(caller);
  const { scopes = [] } = caller.key ?? {};
  if (!scopes.includes("dav") && !scopes.includes("admin"))
    throw new Refusal(403, "This app key may not do this: it needs the scope dav.");
  if (caller.needsFactor) throw new Refusal(403, "Set up a second step of signing in first, in the studio.");
  if (caller.limit && caller.limit.kind !== "directory") throw new Refusal(403, "This app key is not for files.");
  return caller;
}

const challenge = { "WWW-Authenticate": 'Basic realm="Vitrine", charset="UTF-8"' };

function readBasic(header: string | null): Credentials | null {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The account is found by the key, so that nothing tells whether there is one with this name. */
async function findCaller(exchange: Exchange, { authenticate }: Porter, sent: Credentials): Promise<Caller | null> {
  const { username, password } = sent;
  if (!isKey(password) || username.length > 256) return null;
  const caller = await authenticate(password, exchange.address);
  return caller && usernameKey(caller.username) === usernameKey(username) ? caller : null;
}

async function countGuess({ address }: Exchange, guesses: RateLimit): Promise<void> {
  const verdict = await guesses.take(`dav:${limitKey(address)}`);
  if (!verdict.allowed) throw tooManyGuesses(verdict.retryAfterMs);
}
