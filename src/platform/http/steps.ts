import type { BlockList } from "node:net";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestTracing } from "../tracing/tracing.ts";
import { createCORS } from "./cors.ts";
import { createDoors, type Door } from "./door.ts";
import { createExchanges } from "./exchange.ts";
import { createFailures, type ErrorPage, type FindMoved } from "./failures.ts";
import { createFindRoute } from "./find-route.ts";
import { createFinish } from "./finish.ts";
import { createGranting, noGrants } from "./grants.ts";
import { createCallHandler } from "./handler.ts";
import { createRunOnce } from "./idempotency.ts";
import { createSendKept } from "./kept.ts";
import type { Limits } from "./limit.ts";
import { createPublicReads } from "./public-read.ts";
import { createKeepPublic } from "./keep-public.ts";
import { createKeptResponses } from "./response-cache.ts";
import { createRespond } from "./response.ts";
import type { Grants, Route } from "./route.ts";
import { createGrowingRouter, type LaterRoutes } from "./router.ts";
import { createSending } from "./send.ts";
import { type Authenticate, createToken } from "./token.ts";
import { createWatch } from "./watch.ts";

export type Parts = {
  routes: Route[];
  /** More routes, outside the API. They are loaded when a path outside the API is requested that they may have. */
  later?: readonly LaterRoutes[];
  /** Other protocols, each below a path. */
  doors?: readonly Door[];
  authenticate: Authenticate;
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
  /** Where the address of an earlier site leads. */
  findMoved?: FindMoved | undefined;
  /** Headers of every response below a path, including responses to OPTIONS and to refused requests. */
  pathHeaders?: Record<string, Record<string, string>>;
  /**
   * Whether the server will stop soon: then every response closes its connection, so that the client opens a new one.
   */
  isDraining: () => boolean;
  /** Records what requests do; null means that nothing is recorded. */
  tracing?: RequestTracing | null;
  metrics: Metrics;
  log: Log;
};

/** The steps that need something of the server, each with what it needs. */
export function createSteps(parts: Parts) {
  const {
    routes,
    limits,
    writes,
    baseURL,
    api,
    languages = [],
    pathHeaders = {},
    tracing = null,
    metrics,
    log,
  } = parts;
  const atTop = new Set<string>(routes.flatMap(({ path, isPage }) => (isPage ? [] : path)));
  const isOfAPI = (path: string) => path.startsWith(api.path) || atTop.has(path);
  const router = createGrowingRouter(routes, parts.later);
  const cors = createCORS(routes, pathHeaders);
  const grants = createGranting(parts.grants ?? noGrants, routes);
  const sending = createSending({ cors, grants, pathHeaders });
  const reads = createPublicReads({ api: api.path, baseURL, languages });
  const responses = createKeptResponses(writes);
  return {
    grants,
    sending,
    sendKept: createSendKept({ responses, reads, router, grants, limits, sending, writes, metrics }),
    keepPublic: createKeepPublic({ responses, reads, writes, metrics }),
    doors: createDoors({ doors: parts.doors ?? [], authenticate: parts.authenticate, limits, sending }),
    openExchange: createExchanges({ trustedProxies: parts.trustedProxies, baseURL, grants, isOfAPI }),
    findRoute: createFindRoute({ api, router, cors }),
    ...createToken({ authenticate: parts.authenticate, grants }),
    runOnce: createRunOnce(writes, parts.secret),
    callHandler: createCallHandler({ routes, db: writes, common: cors.headers }),
    respond: createRespond({ sending, limits, metrics }),
    fail: createFailures({
      sending,
      api: api.path,
      errorPage: parts.errorPage,
      findMoved: parts.findMoved,
      metrics,
      log,
    }),
    finish: createFinish({ cors, isDraining: parts.isDraining, tracing, metrics, log }),
    watch: createWatch(),
  };
}
