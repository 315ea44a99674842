import { splitHosts } from "./hosts.ts";

/** How long a request waits for PostgreSQL, and how many connections a copy opens each for reads and for transactions. */
type Options = { connections: number; timeoutMs: number };

export type DatabaseConfig = Readonly<
  | { engine: "sqlite" }
  /** `replicas` are servers that follow the one of the URL, from which guests' requests may read. */
  | ({ engine: "postgres"; url: string; replicas: readonly string[] } & Options)
>;

type Failure = new (message: string) => Error;

const mostReplicas = 16;

/** Where the records are stored: in the data directory if there is no address. */
export function readDatabase(
  url: string | null,
  replicas: string | null,
  options: Options,
  ConfigError: Failure,
): DatabaseConfig {
  const urls = splitReplicas(replicas ?? "");
  if (urls.length > mostReplicas || !urls.every(splitHosts)) {
    throw new ConfigError(
      `DATABASE_REPLICA_URL must have up to ${mostReplicas} addresses with one host each, separated by commas, such as postgres://user:password@host:5432/name.`,
    );
  }
  if (url === null && urls.length > 0) throw new ConfigError("DATABASE_REPLICA_URL also requires DATABASE_URL.");
  if (url === null) return { engine: "sqlite" };
  if (splitHosts(url)) return { engine: "postgres", url, replicas: urls, ...options };
  throw new ConfigError("DATABASE_URL must look like postgres://user:password@host:5432/name.");
}

function splitReplicas(text: string): string[] {
  const urls = text.split(",").map((url) => url.trim());
  return urls.filter((url) => url !== "");
}
