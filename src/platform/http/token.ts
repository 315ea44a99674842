import { keyPrefix } from "../auth/link-tokens.ts";
import { Problem, unauthorized } from "../errors.ts";
import { readToken, refuseForeignChange, sendsToken } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import type { Granting } from "./grants.ts";
import type { Caller, Route, Viewer } from "./route.ts";
import { isInScope, requireScope, requireWithinLimit } from "./scopes.ts";

/** `caller` is set only where the route requires a role. */
type Who = { caller: Caller | null; viewer: Viewer };

/** The caller to whom a token belongs, or null if it is not, or no longer, valid. The address is that of the client. */
export type Authenticate = (token: string, address: string) => Promise<Caller | null>;

type Deps = {
  authenticate: Authenticate;
  grants: Granting;
};

/** Throws if the caller has to set up a second factor first, and the route is not for that. */
function requireFactor(route: Route, { needsFactor }: Caller): void {
  if (needsFactor && !route.withoutFactor)
    throw new Problem("factor_setup_required", "Set up a second factor first: this site requires one of your role.");
}

/** Who asks, by the token of the request. */
export function createToken({ authenticate, grants }: Deps) {
  /** What the step `limit` has asked for, for the step `token`: nothing is asked, or waited for, twice. */
  const asked = new WeakMap<Exchange, Promise<Caller | null>>();
  return { recognize, identify, explain };

  /**
   * Whose limit the request takes from: that of the person in a browser or with an app key, and outside the API (MCP) of everyone
   * with a token. All others are counted by address: null, without a promise where this is certain. Does not fail: the step
   * `token` does.
   */
  function recognize(exchange: Exchange, isInAPI: boolean): Promise<Caller | null> | null {
    const token = readToken(exchange);
    if (!token || (sendsToken(exchange) && isInAPI && !token.startsWith(keyPrefix))) return null;
    const asking = authenticate(token, exchange.address);
    asked.set(exchange, asking);
    return asking.then(
      (caller) => (caller && (!isInAPI || caller.key || caller.isInBrowser) ? caller : null),
      () => null,
    );
  }

  /** The step `token`: who asks (401). A page of another site that uses the session of a browser is a 403. */
  async function identify(exchange: Exchange, route: Route): Promise<Who> {
    refuseForeignChange(exchange);
    if (route.role && !readToken(exchange))
      throw unauthorized("Sign in first: send the token as Authorization: Bearer <token>.");
    const caller = route.role ? await requireCaller(exchange) : null;
    if (caller) {
      requireScope(route, caller);
      requireWithinLimit(route, caller);
      requireFactor(route, caller);
    }
    const member = caller ?? (await findMember(exchange, route));
    // What a share link reaches is beyond the limit of a key.
    const viewer = route.granted && !member?.limit ? await grants.add(exchange, member) : member;
    return { caller, viewer };
  }

  /**
   * A program whose key is not for this gets what a guest gets. One whose key is limited to a record gets nothing else, not even
   * what is for everyone.
   */
  async function findMember(exchange: Exchange, route: Route): Promise<Caller | null> {
    if (!route.personal && (route.limit === "none" || !readToken(exchange)?.startsWith(keyPrefix))) return null;
    const caller = await findCaller(exchange);
    if (!caller) return null;
    if (caller.limit) {
      requireWithinLimit(route, caller);
      requireScope(route, caller);
      requireFactor(route, caller);
    }
    if (!route.personal || !isInScope(route, caller)) return null;
    // A page says what is missing. What pages and programs load gets what a guest gets.
    if (route.isPage) requireFactor(route, caller);
    return caller.needsFactor && !route.withoutFactor ? null : caller;
  }

  /** Throws the error of a later step. The caller may have been removed since: what fails then is not an error of the server. */
  async function explain(exchange: Exchange, caller: Caller | null, error: unknown): Promise<never> {
    if (caller && !(error instanceof Problem)) await requireCaller(exchange);
    throw error;
  }

  async function requireCaller(exchange: Exchange): Promise<Caller> {
    const caller = await findCaller(exchange);
    if (caller) return caller;
    throw unauthorized("This token is invalid, expired or revoked; sign in again.");
  }

  async function findCaller(exchange: Exchange): Promise<Caller | null> {
    const asking = asked.get(exchange);
    // Whoever asks again wants to know whether it is still so.
    asked.delete(exchange);
    const token = readToken(exchange);
    const caller = token ? await (asking ?? authenticate(token, exchange.address)) : null;
    if (caller) exchange.callerID = caller.id;
    return caller;
  }
}
