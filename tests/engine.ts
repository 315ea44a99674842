import { RedisClient, SQL } from "bun";

/** The engines that the tests run on: embedded, or, with TEST_ENGINE=scaled, PostgreSQL, S3 and Redis. */
export const isScaled = process.env.TEST_ENGINE === "scaled";

const made = new Map<string, Promise<Record<string, string>>>();

/** The environment of a server on this data directory: the same engines on every call. */
export function engineEnv(dataDir: string): Promise<Record<string, string>> {
  if (!isScaled) return Promise.resolve({});
  let env = made.get(dataDir);
  if (!env) made.set(dataDir, (env = makeEngines()));
  return env;
}

async function makeEngines(): Promise<Record<string, string>> {
  const env: Record<string, string> = { DATABASE_URL: await makeDatabase() };
  const storage = process.env.TEST_S3_URL;
  if (storage) {
    const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
    Object.assign(env, { STORAGE_URL: storage, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
  }
  const redis = process.env.TEST_REDIS_URL;
  if (redis) env.REDIS_URL = await emptyRedis(redis);
  return env;
}

/** The next of the server's databases, emptied. The first one counts them, for all processes that run tests. */
async function emptyRedis(server: string): Promise<string> {
  const first = new RedisClient(server);
  const databases = (await first.send("CONFIG", ["GET", "databases"])) as Record<string, string> | string[];
  const count = Number(Array.isArray(databases) ? databases[1] : databases.databases);
  const url = `${server}/${1 + ((await first.incr("tests")) % (count - 1))}`;
  first.close();
  const redis = new RedisClient(url);
  await redis.send("FLUSHDB", []);
  redis.close();
  return url;
}

/** Creates a database on the PostgreSQL server of the tests; returns its URL. */
export async function makeDatabase(): Promise<string> {
  const name = `vitrine_${crypto.randomUUID().replaceAll("-", "")}`;
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("TEST_ENGINE=scaled requires TEST_DATABASE_URL.");
  const server = new SQL(url, { max: 1 });
  await server.unsafe(`CREATE DATABASE ${name}`);
  await server.close();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
