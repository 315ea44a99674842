import type { Config } from "../config.ts";
import { peekDatabase } from "../engines.ts";
import { nameOfReplica, readStanding } from "../platform/database/replica.ts";
import { readPrimaryStanding, type Standing } from "../platform/database/write-positions.ts";
import { type Finding, warning } from "./doctor-finding.ts";

const farBehind = 64 * 2 ** 20;
const repair =
  "guests read from the primary until this is repaired: look at the server, its log and DATABASE_REPLICA_URL";

/** Whether the replicas follow the primary. Without `DATABASE_REPLICA_URL`, there is nothing to look at. */
export async function checkReplicas(config: Config): Promise<Finding[]> {
  if (config.database.engine === "sqlite" || config.database.replicas.length === 0) return [];
  const primary = await peekDatabase(config, readPrimaryStanding);
  const found = config.database.replicas.map(async (url) => {
    const what = await describe(url, primary);
    return what === null ? [] : [warning(`replica ${nameOfReplica(url)}`, what, repair)];
  });
  return (await Promise.all(found)).flat();
}

async function describe(url: string, primary: Standing | null): Promise<string | null> {
  let replica: Standing;
  try {
    replica = await readStanding(url);
  } catch (reason) {
    return `cannot be read: ${(reason as Error).message}`;
  }
  if (replica.position === null) return "is no replica: it does not follow a primary";
  if (primary?.history && primary.history !== replica.history) return "follows another primary, or is far behind";
  const behind = (primary?.position ?? 0) - replica.position;
  return behind > farBehind ? `is ${Math.round(behind / 2 ** 20)} MiB of the log behind the primary` : null;
}
