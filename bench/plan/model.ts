import type { Kind } from "../copies/site.ts";
import type { Cost, Costs, LookCost, Sizes } from "./costs.ts";

/** What a site is asked for. Rates are in requests per second, shares between 0 and 1. */
export type Load = {
  reads: number;
  writes: number;
  photos: number;
  /** The share of reads that are pictures; the others are pages. */
  pictures: number;
  /** The share of pages that no memory has. */
  misses: number;
  /** The share of pictures that a CDN in front serves. */
  cdn: number;
  /** Bytes of a picture on a page, of an original, and of all its variants. */
  picture: number;
  original: number;
  variants: number;
  /** The share of the records that nearly all requests are about. */
  hot: number;
};

/** What there is: more cannot be used by adding copies. */
export type Limits = {
  /** Of the machine of PostgreSQL. */
  databaseCores: number;
  /** Bytes of memory that keep pages of the database. */
  databaseMemory: number;
  connections: number;
  iops: number;
  /** Requests per second that a bucket takes. */
  storeRequests: number;
  /** Bits per second of the whole site. */
  network: number;
  /** The share of a copy's core that is used before another one is added. */
  busy: number;
};

export const usualLoad: Load = {
  reads: 1000,
  writes: 10,
  photos: 1e6,
  pictures: 0.8,
  misses: 0.05,
  cdn: 0,
  picture: 80e3,
  original: 5e6,
  variants: 1.2e6,
  hot: 0.1,
};

export const usualLimits: Limits = {
  databaseCores: 32,
  databaseMemory: 128e9,
  connections: 100,
  iops: 20_000,
  storeRequests: 5500,
  network: 10e9,
  busy: 0.6,
};

/** How writes are made up: most of them are comments and changes, some are uploads. */
export const writeShares = { comment: 0.6, post: 0.3, upload: 0.1 } as const satisfies Partial<Record<Kind, number>>;
/** For each photo, of posts and comments. */
const perPhoto = { posts: 0.01, comments: 0.1 };
/** Pools for reads and for writes, of `DATABASE_CONNECTIONS` each. */
const connectionsPerCopy = 16;
const blockBytes = 8192;
/** Keys that one request to list a bucket returns. */
const listed = 1000;

export type Rates = Partial<Record<Kind, number>>;

/** How many requests of each kind reach the copies. */
export function ratesOf({ reads, writes, pictures, misses, cdn }: Load): Rates {
  const pages = reads * (1 - pictures);
  const rates: Rates = {
    picture: reads * pictures * (1 - cdn),
    page: pages * (1 - misses),
    pageMiss: pages * misses,
  };
  for (const [kind, share] of Object.entries(writeShares)) rates[kind as Kind] = writes * share;
  return rates;
}

export function sum(rates: Rates, kinds: Costs["kinds"], of: keyof Cost): number {
  return Object.entries(rates).reduce((total, [kind, rate]) => total + rate * kinds[kind as Kind][of], 0);
}

/** Kinds that are served from memory after a look at the database. */
const remembered: Kind[] = ["memory", "page"];

/**
 * Looks per second of all copies together. A copy looks when a request comes and no look is under way, and again when one has ended
 * and requests have come meanwhile.
 */
export function looksPerSecond(rates: Rates, copies: number, look: LookCost): number {
  const each = remembered.reduce((total, kind) => total + (rates[kind] ?? 0), 0) / copies;
  return each === 0 ? 0 : (copies * each) / (1 + (each * look.milliseconds) / 1000);
}

/**
 * Every request but a page from memory asks Redis once. Where few requests were measured, its own work counts for many of them:
 * the cost of one call is that of the kind with the most.
 */
function busyRedis(rates: Rates, kinds: Costs["kinds"]): number {
  const calls = Object.entries(rates).reduce((total, [kind, rate]) => total + (kind === "page" ? 0 : rate), 0);
  return (calls * kinds.memory.redis) / 1e6;
}

/** Cores that are busy: in the copies, in PostgreSQL and in Redis. */
export function busyCores(rates: Rates, copies: number, { kinds, look, idle }: Costs) {
  const looks = looksPerSecond(rates, copies, look);
  const program = sum(rates, kinds, "program") + looks * look.program + copies * idle.program;
  const database = sum(rates, kinds, "database") + looks * look.database + copies * idle.database;
  return { program: program / 1e6, database: database / 1e6, redis: busyRedis(rates, kinds), looks };
}

/** A copy serves requests on one core. More copies look at the database more often, so the number is found by trying. */
export function copiesFor(rates: Rates, costs: Costs, busy: number): number {
  for (let copies = 1; ; copies = Math.max(copies + 1, Math.floor(copies * 1.02))) {
    if (busyCores(rates, copies, costs).program <= copies * busy) return copies;
    if (copies > 100_000) return Number.POSITIVE_INFINITY;
  }
}

export const databaseBytes = (photos: number, { photo, post, comment }: Sizes) =>
  photos * (photo + perPhoto.posts * post + perPhoto.comments * comment);

/** Reads of pages that are not in memory, as if all that are in use were used equally often; one flush per write, and the log. */
export function operationsPerSecond(rates: Rates, writes: number, used: number, memory: number, costs: Costs): number {
  const missing = Math.max(0, 1 - memory / used);
  const written = Math.ceil(sum(rates, costs.kinds, "log") / blockBytes);
  return sum(rates, costs.kinds, "blocks") * missing + writes + written;
}

/** The picture that was measured has much detail: usual ones have fewer bytes. */
const withPicture = (costs: Costs, bytes: number): Costs => ({
  ...costs,
  kinds: { ...costs.kinds, picture: { ...costs.kinds.picture, bytes, storeBytes: bytes } },
});

export type Resource = { name: string; used: number; limit: number; unit: string; remedy: string };

export type Planned = {
  rates: Rates;
  copies: number;
  looks: number;
  databaseCores: number;
  databaseBytes: number;
  statements: number;
  operations: number;
  connections: number;
  redisCores: number;
  storeRequests: number;
  storeBytesPerSecond: number;
  storedBytes: number;
  storedObjects: number;
  sweepRequests: number;
  bitsPerSecond: number;
  /** Those that are used up first come first. */
  resources: Resource[];
};

export function plan(load: Load, limits: Limits, measured: Costs): Planned {
  const costs = withPicture(measured, load.picture);
  const rates = ratesOf(load);
  const copies = copiesFor(rates, costs, limits.busy);
  const busy = busyCores(rates, copies, costs);
  const size = databaseBytes(load.photos, costs.sizes);
  const operations = operationsPerSecond(rates, load.writes, size * load.hot, limits.databaseMemory, costs);
  const storeRequests = sum(rates, costs.kinds, "storeRequests");
  const bitsPerSecond = sum(rates, costs.kinds, "bytes") * 8;
  const storedObjects = load.photos * 5;
  const planned = {
    rates,
    copies,
    looks: busy.looks,
    databaseCores: busy.database,
    databaseBytes: size,
    statements: sum(rates, costs.kinds, "statements") + busy.looks,
    operations,
    connections: copies * connectionsPerCopy,
    redisCores: busy.redis,
    storeRequests,
    storeBytesPerSecond: sum(rates, costs.kinds, "storeBytes"),
    storedBytes: load.photos * (load.original + load.variants),
    storedObjects,
    sweepRequests: Math.ceil(storedObjects / listed),
    bitsPerSecond,
  };
  return { ...planned, resources: resourcesOf(planned, limits) };
}

function resourcesOf(planned: Omit<Planned, "resources">, limits: Limits): Resource[] {
  const resources: Resource[] = [
    {
      name: "Redis, which has one core",
      used: planned.redisCores,
      limit: 1,
      unit: "cores",
      remedy: "a CDN in front of pictures; or rate limits of the proxy, without REDIS_URL",
    },
    {
      name: "processor of PostgreSQL",
      used: planned.databaseCores,
      limit: limits.databaseCores,
      unit: "cores",
      remedy: "a CDN in front of pages and pictures, or a larger server",
    },
    {
      name: "connections to PostgreSQL",
      used: planned.connections,
      limit: limits.connections,
      unit: "",
      remedy: "PgBouncer in transaction mode, or a higher max_connections",
    },
    {
      name: "operations of its disk",
      used: planned.operations,
      limit: limits.iops,
      unit: "per second",
      remedy: "more memory for PostgreSQL",
    },
    {
      name: "requests to the store",
      used: planned.storeRequests,
      limit: limits.storeRequests,
      unit: "per second",
      remedy: "a CDN in front of pictures",
    },
    {
      name: "network",
      used: planned.bitsPerSecond / 1e9,
      limit: limits.network / 1e9,
      unit: "Gbit/s",
      remedy: "a CDN in front of pictures",
    },
  ];
  return resources.toSorted((one, other) => other.used / other.limit - one.used / one.limit);
}
