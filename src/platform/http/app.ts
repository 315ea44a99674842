import type { BlockList } from "node:net";
import { forbidden, invalid, notOwner, Problem, unauthorized } from "../../errors.ts";
import type { Database } from "../database/database.ts";
import { collectReads } from "../database/generations.ts";
import { withSharedDeadline } from "../deadline.ts";
import { nextTurn } from "../event-loop.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { clientAddress, isTrustedProxy } from "./address.ts";
import { type Answer, complete, send, withETag } from "./answer.ts";
import { readJSON } from "./body.ts";
import { createAnswerCache, type Kept } from "./cache.ts";
import { createCORS } from "./cors.ts";
import { readCursor } from "./cursor.ts";
import { readToken, refuseForeignChange } from "./credentials.ts";
import { type Connection, type Exchange, methodOf, readTarget, requestID } from "./exchange.ts";
import { createFailures, type ErrorPage } from "./failures.ts";
import { isForm, readForm } from "./form.ts";
import { type Limits, takeForLength, takeFromLimit } from "./limit.ts";
import { createGranting, noGrants } from "./grants.ts";
import { createRunOnce, describeRequest, readKey } from "./idempotency.ts";
import { beginEdit, findReadBack } from "./if-match.ts";
import { idleSeconds } from "./listen.ts";
import { readBody } from "./read-body.ts";
import { readPage } from "./pages.ts";
import { findRecord } from "./params.ts";
import { present } from "./present.ts";
import { createPublicReads, isPublicRead, showOnly } from "./public-read.ts";
import { type Caller, type Grants, mayActAs, type Route } from "./route.ts";
import { createGrowingRouter, type Match } from "./router.ts";
import type { Started, Storing } from "./started.ts";
import { bucketOfUnknown, refuseUnknown } from "./unknown.ts";
import { validate } from "./validate.ts";
import { createWatch } from "./watch.ts";

export type App = {
  fetch(request: Request, server: Connection): Response | Promise<Response>;
  close(): void;
};

type Parts = {
  routes: Route[];
  /** More routes, outside the API. They are loaded when a path outside the API is requested that is not in `routes`. */
  loadPages?: () => Promise<Route[]>;
  /** The caller to whom a bearer token belongs, or null if it is not, or no longer, valid. */
  authenticate: (token: string) => Promise<Caller | null>;
  grants?: Grants | undefined;
  limits: Limits;
  writes: Pick<Database, "generation" | "lastWrite" | "fresh" | "get" | "transaction">;
  trustedProxies: BlockList | null;
  maxBodyBytes: number;
  /** For keyed hashes of requests. */
  secret: string;
  /** The public URL of the server, without a trailing slash; "" if unknown. */
  baseURL: string;
  /** Below this path, every request is limited and unknown paths are a JSON error. `documentation` is the page about it. */
  api: { path: `/${string}/`; documentation: string };
  /** The languages in which there are pages. */
  languages?: readonly string[];
  /** What a browser gets instead of JSON. */
  errorPage?: ErrorPage | undefined;
  /** Headers of every response below a path, including responses to OPTIONS and to refused requests. */
  pathHeaders?: Record<string, Record<string, string>>;
  /**
   * Whether the server will stop soon: then every response closes its connection, so that the client opens a new one.
   */
  isDraining: () => boolean;
  metrics: Metrics;
  log: Log;
};

/** The key of a public response that is not kept. */
const notKept = "";

/**
 * The steps of every request: limit, route, token, record, permission, input, handler; then the response and a log
 * line.
 */
export function createApp(parts: Parts): App {
  const {
    routes,
    authenticate,
    grants = noGrants,
    limits,
    writes,
    trustedProxies,
    maxBodyBytes,
    secret,
    baseURL,
    api,
    languages = [],
    errorPage,
    pathHeaders = {},
    isDraining,
    metrics,
    log,
  } = parts;
  const router = createGrowingRouter(routes, parts.loadPages);
  const cache = createAnswerCache(writes);
  const reads = createPublicReads({ api: api.path, baseURL, languages });
  const watch = createWatch();
  const runOnce = createRunOnce(writes);
  const cors = createCORS(routes, pathHeaders);
  const readBack = findReadBack(routes);
  const granting = createGranting(grants, routes);
  const fail = createFailures({ api: api.path, errorPage, metrics, log });
  const announced = Object.entries(pathHeaders).map(
    ([prefix, headers]) => [prefix, { ...headers, ...cors.headers }] as const,
  );

  return { fetch, close: watch.close };

  function fetch(request: Request, server: Connection): Response | Promise<Response> {
    const exchange = begin(request, server);
    try {
      const response = dispatch(exchange);
      if (!(response instanceof Promise)) return finish(exchange, response);
      return response.catch((error) => fail(exchange, error)).then((late) => finish(exchange, late));
    } catch (error) {
      const response = fail(exchange, error);
      return response instanceof Promise ? response.then((late) => finish(exchange, late)) : finish(exchange, response);
    }
  }

  function begin(request: Request, server: Connection): Exchange {
    const peer = server.requestIP(request)?.address ?? "";
    const forwardedFor = trustedProxies && request.headers.get("x-forwarded-for");
    const target = readTarget(request);
    const granted = target && granting.readPath(target.path);
    const started = performance.now();
    metrics.requests.start();
    return {
      request,
      server,
      id: requestID(request),
      started,
      method: methodOf(request),
      path: granted?.path ?? target?.path ?? "",
      search: target?.search ?? "",
      grantToken: granted?.token ?? null,
      address: clientAddress(peer, forwardedFor, trustedProxies),
      baseURL,
      isSecure: isSecure(request, peer),
      operation: null,
      lastProgress: started,
      abandoned: false,
      stopReceiving: null,
      isIdleTimerOff: false,
      callerID: undefined,
      isPrivate: false,
    };
  }

  function isSecure(request: Request, peer: string): boolean {
    if (baseURL.startsWith("https:")) return true;
    return isTrustedProxy(peer, trustedProxies) && request.headers.get("x-forwarded-proto") === "https";
  }

  function dispatch(exchange: Exchange): Response | Promise<Response> {
    const { method, path, request } = exchange;
    if (path === "") throw invalid("The request needs one well-formed Host header.");
    const growing = path.startsWith(api.path) ? null : router.growFor(method, path);
    if (growing) return growing.then(() => dispatch(exchange));
    if (method === "OPTIONS") return complete(exchange, cors.preflight(router.routesAt(path)));

    const isRead = method === "GET" && !request.headers.has("authorization");
    if (!isRead || granting.isAsked(exchange) || readToken(exchange)) return respond(exchange, null);
    const key = cacheKey(exchange);
    // Another process may have written since the response was cached.
    const fresh = key !== notKept && cache.has(key) ? writes.fresh() : null;
    return fresh ? fresh.then(() => respond(exchange, key, cache.find(key))) : respond(exchange, key, cache.find(key));
  }

  function cacheKey(exchange: Exchange): string {
    if (!reads.mayKeep(exchange)) return notKept;
    const { search, path } = exchange;
    const exact = reads.keyOf(exchange, search);
    if (search === "" || cache.has(exact)) return exact;
    const route = router.match("GET", path)?.route;
    return reads.keyOf(exchange, route ? reads.read(exchange, route).search : "");
  }

  /** `cacheKey` is null if the response is not public; `known` is a cached response. */
  function respond(exchange: Exchange, cacheKey: string | null, known?: Kept): Response | Promise<Response> {
    if (known) {
      exchange.operation = known.operation;
      const verdict = takeFromLimit(limits, exchange, known.bucket === "pages" ? "none" : known.bucket);
      metrics.cacheHits.value++;
      return verdict ? verdict.then(() => send(exchange, known.answer)) : send(exchange, known.answer);
    }
    const found = router.match(exchange.method, exchange.path);
    exchange.operation = found?.route ?? null;
    const bucket = found
      ? (found.route.limit ?? "api")
      : bucketOfUnknown(api, exchange.path, router.routesAt(exchange.path));
    const verdict = takeFromLimit(limits, exchange, bucket);
    return verdict ? verdict.then(() => serve(exchange, found, cacheKey)) : serve(exchange, found, cacheKey);
  }

  function serve(exchange: Exchange, found: Match | null, cacheKey: string | null): Response | Promise<Response> {
    if (!found) return refuseUnknown(api, exchange, router.routesAt(exchange.path));
    const { route, params } = found;
    const work = () => withSharedDeadline(() => answer(exchange, route, params, cacheKey));
    // Many pages at once do not make other requests wait for all of them.
    return watch.guard(exchange, route.limit === "pages" ? nextTurn().then(work) : work());
  }

  async function answer(exchange: Exchange, route: Route, texts: Record<string, string>, cacheKey: string | null) {
    const readAt = writes.generation();
    const tables = new Set<string>();
    const isCacheable = cacheKey !== null && isPublicRead(route);
    const shown = isCacheable ? showOnly(exchange, reads.read(exchange, route)) : exchange;
    const work = () => run(exchange, route, texts, shown);
    const result = await (isCacheable ? collectReads(tables, work) : work());
    // Also where the handler says that its result is the same for everyone.
    if (granting.isAsked(exchange)) exchange.isPrivate = true;
    if (result instanceof Response) {
      if (route.limit === "media") countContent(exchange, result);
      return complete(exchange, result);
    }
    if (route.limit === "pages") takeForLength(limits, exchange, "pages", result.plain.body.length);
    if (isCacheable) {
      metrics.cacheMisses.value++;
      if (cacheKey !== notKept)
        cache.keep(cacheKey, { answer: result, operation: route, bucket: route.limit ?? "api", readAt, tables });
    }
    return send(exchange, result);
  }

  function countContent({ request }: Exchange, response: Response): void {
    if (response.ok && request.method !== "HEAD") {
      metrics.contentSent.value += Number(response.headers.get("content-length"));
    }
  }

  async function run(
    exchange: Exchange,
    route: Route,
    texts: Record<string, string>,
    shown: Exchange,
  ): Promise<Answer | Response> {
    exchange.isPrivate =
      Boolean(route.role) ||
      (Boolean(route.personal) && (exchange.request.headers.has("authorization") || Boolean(readToken(exchange)))) ||
      granting.isAsked(exchange);
    refuseForeignChange(exchange);
    if (route.role && !readToken(exchange))
      throw unauthorized("Sign in first: send the token as Authorization: Bearer <token>.");
    const caller = route.role ? await requireCaller(exchange) : null;
    const member = caller ?? (route.personal ? await findCaller(exchange) : null);
    const viewer = route.granted ? await granting.add(exchange, member) : member;
    const call = { exchange, shown, route, caller, viewer, texts };
    const name = readKey(exchange, route);
    if (name === null) return perform(call, () => readInput(exchange, route));
    // The body is a part of what the key stands for. An error in it is reported in its turn, after other errors.
    const input = route.body ? readInput(exchange, route) : Promise.resolve(null);
    const work = (storing?: Storing) => perform({ ...call, storing }, () => input);
    const isReadable = await input.then(
      () => true,
      () => false,
    );
    return isReadable ? runOnce(describeRequest(call, name, await input, secret), route, work) : work();
  }

  function readInput(exchange: Exchange, { acceptsForm }: Route): Promise<Record<string, unknown>> {
    return acceptsForm && isForm(exchange) ? readForm(exchange) : readJSON(exchange, maxBodyBytes);
  }

  /** The caller may have been removed in the meantime: what fails then is not an error of the server. */
  async function perform(call: Started, readSent: () => Promise<unknown>): Promise<Answer | Response> {
    try {
      return await handle(call, readSent);
    } catch (error) {
      if (call.caller && !(error instanceof Problem)) await requireCaller(call.exchange);
      throw error;
    }
  }

  async function handle(call: Started, readSent: () => Promise<unknown>): Promise<Answer | Response> {
    const { exchange, shown, route, caller, viewer } = call;
    const { params, record } = await findRecord(route, call.texts, viewer);
    if (caller && route.role && !mayActAs(caller, route.role)) throw forbidden(`This requires the role ${route.role}.`);
    if (route.may && !route.may(caller, record)) throw notOwner();
    const search = new URLSearchParams(shown.search);
    const query = route.query ? validate(route.query, Object.fromEntries(search)) : null;
    const page = route.paged ? readPage(search) : null;
    const cursor = readCursor(route, exchange.path, search, query ?? {});
    const body = await readBody(route, record, readSent);
    const ifMatch = exchange.request.headers.get("if-match");
    const isReadBack = readBack.has(route);
    const { transaction, newTag } = beginEdit(writes, { route, caller, params, ifMatch, isReadBack });
    const toAnswer = (value: unknown) => present(exchange, route, value, { page, cursor, query, common: cors.headers });
    const value = await route.handle({
      caller,
      viewer,
      record,
      body,
      query,
      page,
      cursor,
      params,
      texts: call.texts,
      transaction: call.storing?.(transaction, toAnswer) ?? transaction,
      exchange: shown,
    });
    const answer = await toAnswer(value);
    return answer instanceof Response ? answer : withETag(answer, isReadBack ? answer.etag : newTag());
  }

  async function requireCaller(exchange: Exchange): Promise<Caller> {
    const caller = await findCaller(exchange);
    if (caller) return caller;
    throw unauthorized("This token is invalid, expired or revoked; sign in again.");
  }

  async function findCaller(exchange: Exchange): Promise<Caller | null> {
    const token = readToken(exchange);
    const caller = token ? await authenticate(token) : null;
    if (caller) exchange.callerID = caller.id;
    return caller;
  }

  function finish(exchange: Exchange, response: Response): Response {
    const { request, server, id, started, path, address, callerID } = exchange;
    if (exchange.isIdleTimerOff) server?.timeout(request, idleSeconds);
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    const { status } = response;
    // A long header that only scripts of other origins need.
    if (request.headers.has("origin")) response.headers.set("Access-Control-Expose-Headers", cors.exposed);
    for (const [prefix, headers] of announced) {
      if (!path.startsWith(prefix)) continue;
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    }
    granting.addVary(exchange, response);
    metrics.requests.end(exchange.operation, status, ms);
    if (isDraining()) response.headers.set("Connection", "close");
    log.request({ requestID: id, method: request.method, path, status, ms, address, userID: callerID });
    return response;
  }
}
