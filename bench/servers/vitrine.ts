import { makeDatabase } from "../../tests/kit/engine.ts";
import type { Engine } from "../options.ts";
import { bun, startServer } from "../processes.ts";

export type Running = { port: number; pid: number; url: string };

const unlimited = "1000000000";

/**
 * The server with default settings, except for the rate limits and `settings`; its log is discarded.
 */
export async function startVitrine(
  dataDir: string,
  engine: Engine = "embedded",
  settings: Record<string, string> = {},
): Promise<Running> {
  return startCopy(dataDir, { ...(engine === "postgres" && (await largeEngines())), ...settings });
}

/** Copies with the same engines serve the same site. `preload` is loaded into the process before the server. */
export async function startCopy(
  dataDir: string,
  settings: Record<string, string>,
  preload: URL | null = null,
): Promise<Running> {
  const [runtime = "", ...words] = bun(new URL("../../src/main.ts", import.meta.url), "serve");
  const { printed, pid } = await startServer(
    [runtime, ...(preload ? ["--preload", Bun.fileURLToPath(preload)] : []), ...words],
    { on: "stdout", pattern: /Vitrine is running at \S+:(\d+)/ },
    { ...environmentOf(dataDir, "0"), ...settings },
  );
  return { port: Number(printed), pid, url: `http://127.0.0.1:${printed}` };
}

/** Default settings, except for the rate limits. */
export function environmentOf(dataDir: string, port: string): Record<string, string> {
  return {
    HOST: "127.0.0.1",
    PORT: port,
    DATA_DIR: dataDir,
    DRAIN_SECONDS: "0",
    RATE_LIMIT_PER_SECOND: unlimited,
    RATE_LIMIT_BURST: unlimited,
    MEDIA_RATE_LIMIT_PER_SECOND: unlimited,
    MEDIA_RATE_LIMIT_BURST: unlimited,
    PAGE_RATE_LIMIT_PER_SECOND: unlimited,
    PAGE_RATE_LIMIT_BURST: unlimited,
  };
}

export function hasLargeEngines(): boolean {
  const { TEST_DATABASE_URL, TEST_S3_URL, TEST_REDIS_URL } = process.env;
  return Boolean(TEST_DATABASE_URL && TEST_S3_URL && TEST_REDIS_URL);
}

/** A new database on the servers that the tests use. */
export async function largeEngines(): Promise<Record<string, string>> {
  const { TEST_S3_URL, TEST_REDIS_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  if (!hasLargeEngines() || !TEST_S3_URL || !TEST_REDIS_URL) {
    throw new Error('--engine postgres requires running servers: eval "$(bin/test-servers start)"');
  }
  return {
    DATABASE_URL: await makeDatabase(),
    STORAGE_URL: TEST_S3_URL,
    REDIS_URL: TEST_REDIS_URL,
    AWS_ACCESS_KEY_ID: AWS_ACCESS_KEY_ID ?? "",
    AWS_SECRET_ACCESS_KEY: AWS_SECRET_ACCESS_KEY ?? "",
  };
}
