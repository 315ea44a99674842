import { RedisClient } from "bun";
import type { Log } from "../log.ts";
import { createRateLimit, type MemoryLimit, type RateLimit } from "./rate-limit.ts";

/** A connection that is either there and quick, or known to be away. It logs one line when it goes and one when it is back. */
export type Redis = {
  /** Runs a script that answers a number. null: Redis is away (then at once), or did not answer within 50 ms. Never rejects. */
  run(script: Script, key: string, args: string[]): Promise<number | null> | null;
  close(): void;
};

export type Script = { text: string; sha1: string };

const patience = 50;
const connectPatience = 1000;
const pauseBetweenTries = 500;

/**
 * The bucket of rate-limit.ts, shared by all that use the same `redis` and `prefix`.
 *
 * Each request is taken from a bucket in this process as well, and passes only where both have one left. What this
 * process has taken is a part of what all have taken together, so the inner bucket refuses nothing that the shared one
 * allows as long as Redis forgets nothing. When it does, or is away, the inner bucket already knows what was used up
 * here: a Redis that comes and goes, or comes back empty, never gives a process more than its own one bucket. Who makes
 * Redis stumble gains at most a bucket a copy, and no new one with the next stumble.
 */
export function createRedisLimit(
  { perSecond, burst }: { perSecond: number; burst: number },
  redis: Redis,
  { prefix, fallback = createRateLimit({ perSecond, burst }) }: { prefix: string; fallback?: MemoryLimit },
): RateLimit {
  const interval = 1_000_000 / perSecond;
  const bucket = [String(interval), String(burst * interval)];
  const ask = (deed: "take" | "look" | "give back", key: string) => redis.run(script, prefix + key, [deed, ...bucket]);

  return {
    take(key) {
      // Before Redis is asked: so the inner bucket is never the later one, and its clock adds no wait to that of Redis.
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
 * Answers the microseconds to wait, 0 for none. The clock is that of Redis, so copies need not agree on the time. A
 * bucket that claims to be more than empty was written by a clock that has been set back since, or for a deeper bucket.
 */
const script = defineScript(`
local deed, interval, refill = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local fullAt = tonumber(redis.call('GET', KEYS[1]) or now)
fullAt = math.min(math.max(fullAt, now), now + refill)
if deed == 'give back' then
  fullAt = fullAt - interval
else
  local wait = fullAt + interval - refill - now
  if wait > 0.5 then return math.ceil(wait) end
  if deed == 'look' then return 0 end
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

/** Writes, as the limits do: a Redis that only reads is not there for us. */
const probe = defineScript("redis.call('SET', KEYS[1], redis.call('TIME')[1], 'PX', 1000) return 0");

/**
 * Connects to Redis or Valkey, and again for good whenever the connection is lost or slow. Resolves after the first try,
 * whether or not Redis was there; throws only for a URL of another protocol.
 */
export async function openRedis(url: string, log: Log): Promise<Redis> {
  let client: RedisClient | null = null;
  let isAway = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  await connect();
  return {
    run(script, key, args) {
      const asked = client;
      if (!asked) return null;
      return within(patience, evaluate(asked, script, key, args)).catch((error: unknown) => {
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

  /** A new client for each try: the runtime's own, once it has failed, may stay so whatever its number of retries. */
  async function connect(): Promise<void> {
    const fresh = new RedisClient(url, { autoReconnect: false, connectionTimeout: connectPatience });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is not an EventTarget
    fresh.onclose = (error) => lose(fresh, error);
    try {
      // A command, where connect() would do: it alone fails with the words of Redis, say for a wrong password.
      await within(connectPatience, fresh.send("PING", []));
      await within(patience, evaluate(fresh, probe, "vitrine:probe", []));
    } catch (error) {
      fresh.close();
      return retry(error);
    }
    if (isClosed) return fresh.close();
    if (isAway) log.info("Redis is back: limits are shared with the other copies again");
    isAway = false;
    client = fresh;
  }

  /** Also ends all that still wait for this client: they need not wait as long as the first did. */
  function lose(lost: RedisClient, error: unknown): void {
    if (client !== lost) return;
    client = null;
    lost.close();
    retry(error);
  }

  function retry(error: unknown): void {
    if (isClosed) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (!isAway) log.warn("Redis is away: until it is back, limits are kept by this process alone", { reason });
    isAway = true;
    timer = setTimeout(() => void connect(), pauseBetweenTries);
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
 * Settles as `work` does, or fails when it takes longer. Two timers, one after the other: when this process itself stood
 * still, the first is late, and an answer that came meanwhile is read before the second.
 */
function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`No answer within ${milliseconds} ms`));
    let timer = setTimeout(() => (timer = setTimeout(giveUp, 10)), milliseconds - 10);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function defineScript(text: string): Script {
  return { text, sha1: new Bun.CryptoHasher("sha1").update(text).digest("hex") };
}
