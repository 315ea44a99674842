import { openBody, readBody } from "./body.ts";
import type { Door } from "./door.ts";
import type { Connection, Exchange } from "./exchange.ts";
import { type Found, refuseUnknown } from "./find-route.ts";
import { takeFromAccount, takeFromLimit } from "./limit.ts";
import { checkPermission } from "./permission.ts";
import type { Presented } from "./present.ts";
import { privacyOf } from "./privacy.ts";
import { readQuery } from "./query.ts";
import { findRecord } from "./record.ts";
import type { Match } from "./router.ts";
import { createSteps, type Parts } from "./steps.ts";
import { traceRequests } from "./trace-requests.ts";
import { startWork } from "./watch.ts";

export type App = {
  fetch(request: Request, server: Connection): Response | Promise<Response>;
  close(): void;
};

/**
 * A request takes these steps, in this order. A step refuses it by throwing a `Problem`. The order is part of the contract: it
 * decides which error a client gets where there are several.
 *
 *     address      from where it comes, and what it asks for
 *     kept         a response that is in memory: the last step, then
 *     route        the endpoint
 *     limit        whether the address, or the person in a browser, sends too many requests: 429. Only then is a missing route a 404
 *     token        who asks: 401
 *     record       what the path refers to: 404
 *     permission   whether the caller may do this: 403
 *     query, body  what was sent: 400
 *     handler      what the module does
 *     response     what this client gets of the result
 */
export function createApp(parts: Parts): App {
  const { limits, maxBodyBytes, api, tracing, metrics } = parts;
  const { doors, grants, sending, keepPublic, watch, fail, ...steps } = createSteps(parts);

  return { fetch: tracing ? traceRequests(fetch, tracing, parts.trustedProxies) : fetch, close: watch.close };

  function fetch(request: Request, server: Connection): Response | Promise<Response> {
    metrics.requests.start();
    const exchange = steps.openExchange(request, server); // address
    const response = admitOrFail(exchange);
    return response instanceof Promise
      ? response.then((late) => steps.finish(exchange, late))
      : steps.finish(exchange, response);
  }

  /** What a step throws becomes a response. */
  function admitOrFail(exchange: Exchange): Response | Promise<Response> {
    try {
      const response = admit(exchange);
      return response instanceof Promise ? response.catch((error) => fail(exchange, error, false)) : response;
    } catch (error) {
      return fail(exchange, error, false);
    }
  }

  /** Until a route is served, nothing waits for a promise, unless another process has to be asked. */
  function admit(exchange: Exchange): Response | Promise<Response> {
    const kept = steps.sendKept(exchange); // kept
    if (kept instanceof Promise) return kept.then((late) => late ?? admitOther(exchange));
    return kept ?? admitOther(exchange);
  }

  function admitOther(exchange: Exchange): Response | Promise<Response> {
    const door = doors.find(exchange);
    if (door) return enter(exchange, door);
    const found = steps.findRoute(exchange); // route
    return found instanceof Promise ? found.then((late) => limit(exchange, late)) : limit(exchange, found);
  }

  /** A request to a door takes none of the other steps. */
  function enter(exchange: Exchange, door: Door): Promise<Response> {
    return watch.guard(exchange, doors.enter(exchange, door)).catch((error: unknown) => fail(exchange, error, true));
  }

  function limit(exchange: Exchange, found: Found): Response | Promise<Response> {
    const isInAPI = exchange.path.startsWith(api.path);
    // Signing in is not below the path of the API: attempts are counted by address, whoever is signed in.
    const mayBeOfAccount = found.bucket === "api" && (isInAPI || isOfProtocol(found));
    const recognizing = mayBeOfAccount ? steps.recognize(exchange, isInAPI) : null;
    const taken = recognizing
      ? recognizing.then((caller) =>
          caller ? takeFromAccount(limits, caller) : takeFromLimit(limits, exchange, found.bucket),
        )
      : takeFromLimit(limits, exchange, found.bucket); // limit
    return taken ? taken.then(() => reply(exchange, found)) : reply(exchange, found);
  }

  function reply(exchange: Exchange, found: Found): Response | Promise<Response> {
    if ("match" in found) return serve(exchange, found.match);
    if ("others" in found) return refuseUnknown(api, exchange, found.others);
    return sending.complete(exchange, found.preflight, false);
  }

  /** The other steps of a request to a route: it may not hang, and its response may be kept. */
  function serve(exchange: Exchange, match: Match): Promise<Response> {
    const { route } = match;
    const privacy = privacyOf(exchange, route, grants);
    const work = startWork(route, async () => {
      const presented = await keepPublic(exchange, route, (shown) => handle(exchange, match, shown));
      return steps.respond(exchange, route, presented, privacy); // response
    });
    return watch.guard(exchange, work).catch((error: unknown) => fail(exchange, error, privacy !== "public"));
  }

  /** `shown` is what the handler sees of the exchange. */
  async function handle(exchange: Exchange, { route, texts }: Match, shown: Exchange): Promise<Presented> {
    const { caller, viewer } = await steps.identify(exchange, route); // token
    const sent = openBody(exchange, route, maxBodyBytes);
    return steps.runOnce({ exchange, route, caller, sent }, async (storing) => {
      try {
        const { params, record } = await findRecord(route, texts, viewer); // record
        checkPermission(route, caller, record); // permission
        const query = readQuery(route, shown); // query
        const body = await readBody(route, record, sent); // body
        const call = { caller, viewer, record, body, ...query, params, texts, exchange: shown };
        return await steps.callHandler(exchange, route, call, storing); // handler
      } catch (error) {
        return steps.explain(exchange, caller, error);
      }
    });
  }
}

const isOfProtocol = (found: Found): boolean => "match" in found && found.match.route.isOfProtocol === true;
