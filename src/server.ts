import type { Server } from "bun";
import { albumRoutes } from "./albums/routes.ts";
import { leaveAlbums, returnToAlbums, trashedAlbums } from "./albums/store.ts";
import { blogRoutes } from "./blog/routes.ts";
import { trashedPosts } from "./blog/store.ts";
import { commentRoutes } from "./comments/routes.ts";
import { trashedComments } from "./comments/store.ts";
import type { Config, RateLimit as Rate } from "./config.ts";
import { openForServer } from "./engines.ts";
import { fileRoutes } from "./files/routes.ts";
import { trashedFiles } from "./files/trash.ts";
import { createImages } from "./images/read.ts";
import { forgetUnused } from "./images/store.ts";
import { createVariants, isOutdatedVariant } from "./images/variants.ts";
import { releaseClaims } from "./imports/progress.ts";
import { importRoutes } from "./imports/routes.ts";
import { createImports } from "./imports/run.ts";
import { removeOldImports } from "./imports/store.ts";
import { photoRoutes } from "./photos/routes.ts";
import { indexPhotosShowing, trashedPhotos } from "./photos/store.ts";
import { nobody } from "./platform/auth/passwords.ts";
import { createTokens } from "./platform/auth/tokens.ts";
import { createApp } from "./platform/http/app.ts";
import type { OpenAPI } from "./platform/http/openapi.ts";
import type { Limits } from "./platform/http/limit.ts";
import type { Lease } from "./platform/database/database.ts";
import { startDecoder } from "./platform/images/decoder.ts";
import { startJobs } from "./platform/jobs/jobs.ts";
import { createRateLimit, type RateLimit } from "./platform/limits/rate-limit.ts";
import { createRedisLimit, openRedis, type Redis } from "./platform/limits/redis.ts";
import type { Log } from "./platform/log.ts";
import { measureBlobs, measureDecoder } from "./platform/metrics/back-ends.ts";
import { metricsRoute } from "./platform/metrics/endpoint.ts";
import { createMetrics, type Metrics } from "./platform/metrics/metrics.ts";
import { measureProcess } from "./platform/metrics/process.ts";
import { indexMissing } from "./search/index-missing.ts";
import { indexWaiting } from "./search/index-records.ts";
import { searchRoutes } from "./search/routes.ts";
import { missingPage } from "./site/missing.ts";
import { healthRoutes, siteRoutes } from "./site/routes.ts";
import { pageAnswer } from "./site/static.ts";
import { removeLeftovers, removeReleased } from "./storage/released.ts";
import { storageRoutes } from "./storage/routes.ts";
import { trashRoutes } from "./trash/routes.ts";
import { emptyOldTrash } from "./trash/store.ts";
import type { Kind, Trashable } from "./trash/trash.ts";
import { createFinish } from "./uploads/finish.ts";
import { tusHeaders } from "./uploads/protocol.ts";
import { createReceiver } from "./uploads/receive.ts";
import { uploadRoutes, uploadsPath } from "./uploads/routes.ts";
import { findUsedBlobs } from "./used-blobs.ts";
import { authenticateWith } from "./users/authenticate.ts";
import { removeOldAddresses } from "./users/familiar-addresses.ts";
import { guessRate } from "./users/guesses.ts";
import { userRoutes } from "./users/routes.ts";
import { hasAdmin, removeExpiredSessions } from "./users/store.ts";
import { versionRoutes } from "./versions/routes.ts";
import { version } from "./version.ts";
import { removeOldVersions } from "./versions/store.ts";

export type Vitrine = {
  fetch(request: Request, server: Server<unknown>): Response | Promise<Response>;
  openapi: OpenAPI;
  metrics: Metrics;
  hasAdmin(): Promise<boolean>;
  /** From now on /readyz is 503, and every response closes its connection. Requests are still served. */
  startDraining(): void;
  /** Waits for background work, then closes the database. Requests must have ended. */
  close(): Promise<void>;
};

const second = 1000;
const hour = 3_600_000;

/** How each kind of record comes out of the trash again, or leaves it for good. */
export const trashed: Record<Kind, Trashable> = {
  photo: trashedPhotos(returnToAlbums),
  post: trashedPosts,
  comment: trashedComments,
  album: trashedAlbums,
  file: trashedFiles,
};

/** Opens what is below, mounts the rooms, and answers one function from a request to a response. */
export async function openVitrine(config: Config, log: Log): Promise<Vitrine> {
  const metrics = createMetrics();
  const engines = await openForServer(config, metrics.database);
  const { secret } = engines;
  const blobs = measureBlobs(engines.blobs, metrics);
  const db = await removeReleased(engines.db, blobs);
  const redis = config.redisURL ? await openRedis(config.redisURL, log) : null;
  const limits = openLimits(config, redis);
  const decoder = measureDecoder(startDecoder(), metrics);
  const images = createImages(db, blobs, decoder, (tx, image) => indexPhotosShowing(tx, image.sha256));
  const receiver = createReceiver(db, blobs, createFinish(db, blobs, images, config));
  const imports = createImports(db, images, log);
  // No other process can work on them: what is claimed was left by one that has ended.
  if (db.engine === "sqlite") await releaseClaims(db);
  let isDraining = false;
  metrics.gauge("vitrine_draining", "1 when the server was told to stop.")(() => Number(isDraining));
  const build = { version, database: db.engine, storage: config.storage.kind };
  metrics.gauge("vitrine_build_info", "Always 1; the labels say what runs.")(() => 1, build);
  const areMetricsOn = config.metricsToken !== null || config.metricsPort !== null;
  const processMetrics = areMetricsOn ? measureProcess(metrics, config.dataDir) : null;
  await nobody();

  const api = [
    ...userRoutes(db, secret, limits.guesses, config.signupRole),
    ...photoRoutes(db, images, createVariants(blobs, decoder), leaveAlbums),
    ...importRoutes(db, imports),
    ...blogRoutes(db),
    ...commentRoutes(db),
    ...albumRoutes(db, blobs, images),
    ...fileRoutes(db, blobs, images, config),
    ...uploadRoutes(db, receiver, config),
    ...versionRoutes(db, blobs, images, config),
    ...searchRoutes(db),
    ...trashRoutes(db, trashed, config.trashDays),
    ...storageRoutes(db, config.quotaBytes),
    ...healthRoutes(db, () => isDraining),
  ];
  const { routes: pages, openapi } = siteRoutes(api, config.baseURL);
  const app = createApp({
    routes: [...api, ...pages, ...(config.metricsToken ? [metricsRoute(metrics, config.metricsToken)] : [])],
    authenticate: authenticateWith(db, createTokens(secret)),
    limits,
    writes: db,
    trustedProxies: config.trustedProxies,
    maxBodyBytes: config.maxBodyBytes,
    baseURL: config.baseURL,
    missingPage: pageAnswer("text/html", missingPage(), 404),
    pathHeaders: { [uploadsPath]: tusHeaders(config.maxUploadBytes) },
    isDraining: () => isDraining,
    metrics,
    log,
  });

  async function sweep(lease: Lease): Promise<void> {
    const isUsed = async (names: string[]) => {
      await lease.check();
      return findUsedBlobs(db, names);
    };
    await blobs.sweep(isUsed, isOutdatedVariant);
    await forgetUnused(db, isUsed);
  }

  const stopping = new AbortController();
  const jobs = startJobs(
    [
      { name: "sessions", everyMs: hour, run: () => db.transaction(removeExpiredSessions) },
      { name: "familiar addresses", everyMs: hour, run: () => db.transaction(removeOldAddresses) },
      { name: "images", everyMs: hour, run: images.readMissing },
      { name: "imports", everyMs: 10 * second, run: imports.resume },
      { name: "old imports", everyMs: hour, run: () => removeOldImports(db) },
      { name: "uploads", everyMs: hour, run: receiver.cancelExpired },
      { name: "reservations", everyMs: hour, run: () => removeLeftovers(db, blobs) },
      { name: "search index", everyMs: 10 * second, run: () => indexWaiting(db, stopping.signal) },
      { name: "search", everyMs: hour, run: () => indexMissing(db, stopping.signal) },
      { name: "trash", everyMs: hour, run: () => emptyOldTrash(db, trashed, config.trashDays) },
      { name: "versions", everyMs: hour, run: () => removeOldVersions(db, config.versionDays) },
      { name: "blobs", everyMs: 24 * hour, run: sweep },
    ],
    db.alone,
    metrics,
    log,
  );

  return {
    fetch: app.fetch,
    openapi,
    metrics,
    hasAdmin: () => hasAdmin(db),
    startDraining() {
      isDraining = true;
    },
    async close() {
      await receiver.close();
      stopping.abort();
      // First, so that no job waits for pictures.
      decoder.close();
      await imports.close();
      await jobs.stop();
      app.close();
      processMetrics?.stop();
      redis?.close();
      await engines.close();
    },
  };
}

/** In this process alone, or shared by all copies that use the same Redis. */
function openLimits({ rateLimit, mediaRateLimit }: Config, redis: Redis | null): Limits & { guesses: RateLimit } {
  const open = (rate: Rate, name: string) =>
    redis ? createRedisLimit(rate, redis, { prefix: `vitrine:${name}:` }) : createRateLimit(rate);
  return {
    api: { ...rateLimit, limit: open(rateLimit, "api") },
    media: { ...mediaRateLimit, limit: open(mediaRateLimit, "media") },
    guesses: open(guessRate, "guesses"),
  };
}
