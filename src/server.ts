import type { Config, RateLimit as Rate } from "./config.ts";
import { watchClock } from "./core/clock/clock.ts";
import type { SignupRole } from "./core/settings/settings.ts";
import { type Engines, openForServer } from "./engines.ts";
import { createKeyLimits } from "./core/keys/limits.ts";
import { createIntake } from "./content/files/intake.ts";
import { createImages } from "./core/images/read.ts";
import { createCounter } from "./core/holdings/counter.ts";
import {
  kindsOf,
  type Module,
  type Opened,
  type PathHeaders,
  reactionsOf,
  schemaOf,
  type Site,
  tablesOf,
} from "./module.ts";
import { modules as allModules } from "./modules.ts";
import { createTokens } from "./platform/auth/tokens.ts";
import { type App, createApp } from "./platform/http/app.ts";
import type { OpenAPI } from "./platform/http/openapi.ts";
import { declareLate, loadAll } from "./platform/http/late.ts";
import type { Route } from "./platform/http/route.ts";
import { refuseWhenFull } from "./platform/http/when-full.ts";
import type { Limits } from "./platform/http/limit.ts";
import { startDecoder } from "./platform/images/decoder.ts";
import { startRenderer } from "./platform/markdown/renderer.ts";
import { type Job, startJobs } from "./platform/jobs/jobs.ts";
import { removeSettledTasks } from "./platform/jobs/tasks.ts";
import { createRateLimit, type RateLimit } from "./platform/limits/rate-limit.ts";
import { createRedisLimit, openRedis, type Redis } from "./platform/limits/redis.ts";
import type { Log } from "./platform/log.ts";
import { late, once } from "./platform/once.ts";
import { measureBlobs, measureDecoder } from "./platform/metrics/backends.ts";
import { createMetrics } from "./platform/metrics/metrics.ts";
import { measureProcess } from "./platform/metrics/process.ts";
import { fixedSettings, readSignupRole } from "./core/settings/store.ts";
import { createShareLinks } from "./features/shares/links.ts";
import { type LinkGuesses, guessesPerLink } from "./features/shares/password.ts";
import { removeReleased } from "./core/storage/released.ts";
import { createTrash } from "./core/trash/store.ts";
import { authenticateWith } from "./core/users/authenticate.ts";
import { prepareSetupKey } from "./core/users/first-admin.ts";
import { factorGuessRate, guessRate } from "./core/users/guesses.ts";
import { openTracing } from "./platform/tracing/open.ts";
import { version } from "./platform/version.ts";
import { mcpRoutes } from "./web/mcp/route.ts";

const hour = 3_600_000;
const loadAPIPageRoutes = late(() => import("./web/api-page/routes.ts"));
/** They need all routes of the API. */
const apiPagePaths = [
  "/docs",
  "/openapi.json",
  ...["design.css", "docs.css", "docs.js", "operation.css"].map((name) => `/assets/${name}`),
];

export type Vitrine = {
  fetch: App["fetch"];
  describeAPI(): Promise<OpenAPI>;
  /** The key of the set-up link, or null if there is an admin. */
  setupKey(): Promise<string | null>;
  signupRole(): Promise<SignupRole>;
  /** From now on /readyz is 503, and every response closes its connection. Requests are still served. */
  startDraining(): void;
  /** Frees memory that is not needed while nothing is to be done. */
  releaseMemory(): void;
  /** Waits for background work, then closes the database. Requests must have ended. */
  close(): Promise<void>;
};

/**
 * Opens the engines and the modules, and returns one function from a request to a response. With `copied` engines, it is
 * for the pages of a static copy: there are no jobs.
 */
export async function openVitrine(
  config: Config,
  log: Log,
  modules: readonly Module[] = allModules,
  copied: Engines | null = null,
): Promise<Vitrine> {
  let isDraining = false;
  const { site, limits, closeSite } = await openSite(config, log, modules, { copied, isDraining: () => isDraining });
  const { db, metrics, secret, shareLinks, tracing, clock } = site;
  if (!copied) await clock.checkStart();
  const opened: Opened[] = [];
  for (const module of modules) if (module.open) opened.push(await module.open(site));
  const { describeAPI, ...served } = collectRoutes(site, opened, (request, connection) =>
    app.fetch(request, connection),
  );
  const app = createApp({
    ...served,
    doors: opened.flatMap((module) => module.doors ?? []),
    authenticate: authenticateWith(db, createTokens(secret), createKeyLimits(kindsOf(modules))),
    grants: shareLinks.grants,
    limits,
    writes: db,
    trustedProxies: config.trustedProxies,
    maxBodyBytes: config.maxBodyBytes,
    secret,
    baseURL: config.baseURL,
    api: { path: "/api/", documentation: "/docs" },
    isDraining: site.isDraining,
    tracing: tracing.requests,
    metrics,
    log,
  });
  const removal: Job = { name: "settled tasks", everyMs: hour, deletesByAge: true, run: () => removeSettledTasks(db) };
  const jobs = startJobs(copied ? [] : [removal, ...opened.flatMap((module) => module.jobs ?? [])], {
    db,
    areDeletionsHeld: clock.areDeletionsHeld,
    metrics,
    log,
  });

  return {
    fetch: app.fetch,
    describeAPI,
    setupKey: () => prepareSetupKey(db, config.dataDir),
    signupRole: () => readSignupRole(db, fixedSettings(config)),
    startDraining() {
      isDraining = true;
    },
    releaseMemory: db.releaseMemory,
    close: () =>
      closeSite(async () => {
        await Promise.all(opened.flatMap((module) => module.close?.() ?? []));
        await jobs.stop();
        app.close();
      }),
  };
}

/** What the modules are opened with. `closeSite` closes it, while `closeModules` ends the work of the modules. */
async function openSite(
  config: Config,
  log: Log,
  modules: readonly Module[],
  { copied, isDraining }: { copied: Engines | null; isDraining: () => boolean },
) {
  const metrics = createMetrics();
  const tracing = await openTracing(config.tracing, log);
  const engines = copied ?? (await openForServer(config, schemaOf(modules), metrics.database, log));
  const { secret, disk } = engines;
  const blobs = measureBlobs(engines.blobs, metrics, log);
  const db = await removeReleased(tracing.database(engines.db), blobs);
  const redis = config.redisURL ? await openRedis(config.redisURL, log) : null;
  const { guesses, factorGuesses, linkGuesses, ...limits } = openLimits(config, redis);
  const decoder = measureDecoder(startDecoder({ ffmpeg: config.ffmpeg }), metrics);
  const markdown = startRenderer();
  const kinds = kindsOf(modules);
  const reactions = reactionsOf(modules);
  const images = createImages(db, blobs, decoder, async (tx, { sha256 }, wasWaiting) => {
    for (const { imageRead } of reactions) await imageRead?.(tx, sha256, wasWaiting);
  });
  const intake = createIntake({ db, blobs, images, limits: config });
  const stopping = new AbortController();
  const site: Site = {
    config,
    log,
    metrics,
    db,
    blobs,
    disk,
    images,
    intake,
    decoder,
    markdown,
    trash: createTrash(kinds, reactions),
    clock: watchClock(db, log),
    shareLinks: createShareLinks({ db, intake, kinds, secret, guesses: linkGuesses, log }),
    holdings: createCounter(db, {
      kinds,
      tables: tablesOf(modules),
      holdings: modules.flatMap(({ holdings = [] }) => holdings),
    }),
    modules,
    secret,
    guesses,
    factorGuesses,
    stopping: stopping.signal,
    tracing,
    isDraining,
    isCopy: copied !== null,
  };
  const processMetrics = measureSite(site);

  async function closeSite(closeModules: () => Promise<void>): Promise<void> {
    const closing = closeModules();
    stopping.abort();
    // Nothing waits for pictures and texts any longer.
    decoder.close();
    markdown.close();
    await closing;
    processMetrics?.stop();
    redis?.close();
    await engines.close();
    await tracing.close();
  }
  return { site, limits, closeSite };
}

function measureSite({ config, db, disk, metrics, isDraining }: Site) {
  metrics.gauge("vitrine_draining", "1 when the server was told to stop.")(() => Number(isDraining()));
  metrics.gauge(
    "vitrine_data_directory_usable",
    "1 unless nothing can be stored in DATA_DIR.",
  )(() => Number(disk.trouble() === null));
  const build = { version, database: db.engine, storage: config.blobStore.kind };
  metrics.gauge("vitrine_build_info", "Always 1; the labels say what runs.")(() => 1, build);
  return config.metricsToken !== null ? measureProcess(metrics, config.dataDir) : null;
}

/** The routes of all modules and the description of the API. Pages are loaded when one of them is first requested. */
function collectRoutes({ config, db, disk, modules, shareLinks }: Site, opened: Opened[], fetch: App["fetch"]) {
  const tags = Object.assign({}, ...modules.map((module) => module.tags)) as Record<string, string>;
  const common = opened.find((module) => module.site)?.site;
  const loadAPIPage = once(async () => {
    const [{ apiPageRoutes }] = await Promise.all([loadAPIPageRoutes(), loadAll(api)]);
    return apiPageRoutes(api, tags, config.baseURL, shareLinks.grants.headers);
  });
  // With PostgreSQL and S3, only uploads need the disk of the data directory; those are refused when they are received.
  const needsDisk = !(db.isShared && config.blobStore.kind === "s3");
  const checked = (routes: readonly Route[]) => (needsDisk ? refuseWhenFull(routes, disk.refuseWhenTroubled) : routes);
  const api = opened.flatMap(({ routes = [], lateRoutes }) => [
    ...checked(routes),
    ...(lateRoutes ? declareLate({ ...lateRoutes, load: async () => checked(await lateRoutes.load()) }) : []),
  ]);
  return {
    routes: [...api, ...opened.flatMap(({ unlistedRoutes = [] }) => unlistedRoutes), ...mcpRoutes(api, fetch)],
    later: [
      { below: apiPagePaths, load: async () => (await loadAPIPage()).routes },
      {
        load: async () =>
          checked((await Promise.all(opened.map(async (module) => (await module.loadPages?.()) ?? []))).flat()),
      },
    ],
    languages: common?.languages ?? [],
    errorPage: common?.errorPage,
    findMoved: common?.findMoved,
    pathHeaders: Object.assign({}, ...opened.map(({ pathHeaders }) => pathHeaders)) as PathHeaders,
    describeAPI: async () => (await loadAPIPage()).describeAPI(),
  };
}

/** For scripts that send one file after another. */
const advice = "To send many files, use a client that retries (curl --retry 8), or the import command on the server.";

/** In this process alone, or shared by all copies that use the same Redis. */
function openLimits(
  { rateLimit, accountRateLimit, mediaRateLimit, pageRateLimit }: Config,
  redis: Redis | null,
): Limits & { guesses: RateLimit; factorGuesses: RateLimit; linkGuesses: LinkGuesses } {
  const open = (rate: Rate, name: string) =>
    redis ? createRedisLimit(rate, redis, { prefix: `vitrine:${name}:` }) : createRateLimit(rate);
  const guesses = open(guessRate, "guesses");
  return {
    api: { ...rateLimit, advice, limit: open(rateLimit, "api") },
    account: { ...accountRateLimit, advice, limit: open(accountRateLimit, "account") },
    media: { ...mediaRateLimit, advice, limit: open(mediaRateLimit, "media") },
    pages: { ...pageRateLimit, limit: open(pageRateLimit, "pages") },
    guesses,
    factorGuesses: open(factorGuessRate, "factor-guesses"),
    linkGuesses: { perAddress: guesses, perLink: open(guessesPerLink, "link-guesses") },
  };
}
