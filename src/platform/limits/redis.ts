import { RedisClient } from "bun";
import type { Log } from "../log.ts";
import { createRateLimit, type MemoryLimit, type RateLimit } from "./rate-limit.ts";

/**
 * A connection that either responds quickly or counts as unavailable. It logs one line when it is lost and one when it
 * is restored.
 */
export type Redis = {
  /**
   * Runs a script that returns a number. null if Redis is unavailable (immediately), or did not respond in time. Never rejects.
   */
  run(script: Script, key: string, args: string[]): Promise<number | null> | null;
  close(): void;
};

type Script = { text: string; sha1: string };

const connectTimeoutMs = 1000;
const retryDelayMs = 500;

/**
 * The bucket of rate-limit.ts, shared by all processes that use the same `redis` and `prefix`.
 *
 * Each request is also taken from a bucket in this process, and is allowed only if both have one left. The requests of
 * this process are a part of all requests, so the local bucket refuses nothing that the shared one allows, as long as
 * Redis loses no data. If it does, or is unavailable, the local bucket already has the usage of this process: a Redis
 * that keeps failing, or that comes back empty, never gives a process more than its own bucket. An attacker who makes
 * Redis fail gains at most one bucket per copy, and no further one by another failure.
 */
export function createRedisLimit(
  { perSecond, burst }: { perSecond: number; burst: number },
  redis: Redis,
  { prefix, fallback = createRateLimit({ perSecond, burst }) }: { prefix: string; fallback?: MemoryLimit },
): RateLimit {
  const interval = 1_000_000 / perSecond;
  const bucket = [String(interval), String(burst * interval)];
  const ask = (action: "take" | "look" | "give back", key: string) =>
    redis.run(script, prefix + key, [action, ...bucket]);

  return {
    take(key) {
      // Before Redis is called, so that the local bucket is never the later one, and its clock adds no wait to that of
      // Redis.
      const inner = fallback.take(key);
      const asked = ask(inner.allowed ? "take" : "look", key);
      if (!asked) return inner;
      return asked.then((wait) => {
        if (wait === null) return inner;
        if (!inner.allowed) return { allowed: false, retryAfterMs: Math.max(inner.retryAfterMs, wait / 1000) };
        if (wait === 0) return inner;
        fallback.giveBack(key);
        return { allowed: false, retryAfterMs: wait / 1000 };
      });
    },
    async giveBack(key) {
      fallback.giveBack(key);
      await ask("give back", key);
    },
  };
}

/**
 * Returns the microseconds to wait, or 0. It uses the clock of Redis, so the clocks of the copies do not have to agree.
 * A bucket that is more than empty was written before the clock was set back, or with a larger burst.
 */
const script = defineScript(`
local action, interval, refill = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local fullAt = tonumber(redis.call('GET', KEYS[1]) or now)
fullAt = math.min(math.max(fullAt, now), now + refill)
if action == 'give back' then
  fullAt = fullAt - interval
else
  local wait = fullAt + interval - refill - now
  if wait > 0.5 then return math.ceil(wait) end
  if action == 'look' then return 0 end
  fullAt = fullAt + interval
end
if fullAt > now then
  local milliseconds = math.min(math.ceil((fullAt - now) / 1000), 1e12)
  redis.call('SET', KEYS[1], string.format('%.17g', fullAt), 'PX', string.format('%.0f', milliseconds))
else
  redis.call('DEL', KEYS[1])
end
return 0
`);

/** Writes, like the limits do: a read-only Redis cannot be used. */
const probe = defineScript("redis.call('SET', KEYS[1], redis.call('TIME')[1], 'PX', 1000) return 0");

/**
 * Connects to Redis or Valkey, and reconnects for as long as it takes whenever the connection is lost or slow. Resolves
 * after the first attempt, whether or not it succeeded; throws only for a URL of another protocol.
 */
export async function openRedis(url: string, log: Log, commandTimeoutMs = 50): Promise<Redis> {
  let client: RedisClient | null = null;
  let isUnavailable = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  await connect();
  return {
    run(script, key, args) {
      const asked = client;
      if (!asked) return null;
      return within(commandTimeoutMs, evaluate(asked, script, key, args)).catch((error: unknown) => {
        lose(asked, error);
        return null;
      });
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      client?.close();
      client = null;
    },
  };

  /**
   * A new client for each attempt: the runtime's client may stay failed once it has failed, whatever its number of
   * retries.
   */
  async function connect(): Promise<void> {
    const fresh = new RedisClient(url, { autoReconnect: false, connectionTimeout: connectTimeoutMs });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is not an EventTarget
    fresh.onclose = (error) => lose(fresh, error);
    try {
      // PING instead of connect(), because its error has the message of Redis, for example for a wrong password.
      await within(connectTimeoutMs, fresh.send("PING", []));
      await within(commandTimeoutMs, evaluate(fresh, probe, "vitrine:probe", []));
    } catch (error) {
      fresh.close();
      return retry(error);
    }
    if (isClosed) return fresh.close();
    if (isUnavailable) log.info("Redis is available again; rate limits are shared between copies");
    isUnavailable = false;
    client = fresh;
  }

  /** Also ends all other calls that still wait for this client, so that they do not wait for their own timeouts. */
  function lose(lost: RedisClient, error: unknown): void {
    if (client !== lost) return;
    client = null;
    lost.close();
    retry(error);
  }

  function retry(error: unknown): void {
    if (isClosed) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (!isUnavailable) log.warn("Redis is unavailable; rate limits apply per copy until it is back", { reason });
    isUnavailable = true;
    timer = setTimeout(() => void connect(), retryDelayMs);
    timer.unref();
  }
}

async function evaluate(client: RedisClient, { text, sha1 }: Script, key: string, args: string[]): Promise<number> {
  const rest = ["1", key, ...args];
  try {
    return (await client.send("EVALSHA", [sha1, ...rest])) as number;
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return (await client.send("EVAL", [text, ...rest])) as number;
  }
}

/**
 * Settles as `work` does, or fails if that takes longer. It uses two timers, one after the other: if this process was
 * blocked, the first one fires late, and a response that arrived in the meantime is read before the second one fires.
 */
function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`No response within ${milliseconds} ms`));
    let timer = setTimeout(() => (timer = setTimeout(giveUp, 10)), milliseconds - 10);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function defineScript(text: string): Script {
  return { text, sha1: new Bun.CryptoHasher("sha1").update(text).digest("hex") };
}
