import { usernameKey } from "../../core/users/user.ts";
import { tooManyGuesses } from "../../core/users/guesses.ts";
import { isKey } from "../../core/keys/store.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { Porter } from "../../platform/http/door.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Caller, Grant, Viewer } from "../../platform/http/route.ts";
import { parsePath } from "../../content/files/names.ts";
import { toDirectory } from "../../content/files/rows.ts";
import { getFile } from "../../content/files/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import { Problem } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { Refusal } from "./refusal.ts";
import type { Visitor } from "./visit.ts";

type Credentials = { username: string; password: string };

/** Opens a share link by its token, and its password if one was sent. Throws what the API answers. */
export type OpenLink = (exchange: Exchange, token: string, password: string | null) => Promise<OpenedLink>;

type OpenedLink = { id: number; kind: string; recordID: number; grant: Grant };

type Deps = { db: Reader; guesses: RateLimit; openLink: OpenLink };

/**
 * Who asks, by HTTP Basic: the username, and an app key as the password; or `share`, and the token of a share link. Nothing else
 * counts, so that no page of another site can use the session of a browser. Wrong ones from an address are limited as those of
 * the sign-in are.
 */
export async function signIn(exchange: Exchange, porter: Porter, { db, guesses, openLink }: Deps): Promise<Visitor> {
  const sent = readBasic(exchange.request.headers.get("authorization"));
  const link = sent && isOfLink(sent) ? await findLink(exchange, sent.password, openLink) : null;
  if (link) return enterLink(db, porter, link);
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
  return { ...caller, mount: caller.limit ? await findPath(db, caller, caller.limit.id) : [] };
}

/** What this visitor sees of the path of a directory. Throws if it is gone. */
async function findPath(db: Reader, viewer: Viewer, id: number): Promise<string[]> {
  return parsePath(toDirectory(await getFile(db, viewer, id)).path);
}

const isOfLink = ({ username, password }: Credentials) => username === "share" && !isKey(password);

/** Null if there is no such link, or it needs another password, which stands behind a colon. */
async function findLink(exchange: Exchange, sent: string, openLink: OpenLink): Promise<OpenedLink | null> {
  const [, token = "", password = null] = /^([\w-]{43})(?::(.*))?$/s.exec(sent) ?? [];
  if (token === "") return null;
  return openLink(exchange, token, password).catch((error: unknown) => {
    if (error instanceof Problem && (error.code === "missing" || error.code === "unauthorized")) return null;
    throw error;
  });
}

async function enterLink(db: Reader, porter: Porter, { id, kind, recordID, grant }: OpenedLink): Promise<Visitor> {
  // Nobody has the id 0. The requests of each link are limited together: no account has a negative id.
  const nobody = { id: 0, username: "share", role: "reader" as const, tokenID: `share:${id}` };
  await porter.limitAccount({ ...nobody, id: -id });
  if (kind !== "directory" || !grant.reach.file)
    throw new Refusal(403, "Only a link to a directory with downloads can be mounted.");
  const visitor = { ...nobody, grant };
  return { ...visitor, mount: await findPath(db, visitor, recordID) };
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
