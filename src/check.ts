import type { Config } from "./config.ts";
import { type Engines, openEngines } from "./engines.ts";
import { type Blobs, chunksOf } from "./platform/blobs/blobs.ts";
import { hashOf } from "./platform/hash.ts";
import { describeReferences, findUsedBlobs, listUsedBlobs } from "./used-blobs.ts";

const atOnce = 8;

/**
 * `vitrine check`: looks for files that the database refers to and the storage does not have, and, with `withHashes`, for
 * those whose bytes have changed. Returns the exit code.
 */
export async function check(config: Config, withHashes: boolean, say: (line: string) => void): Promise<number> {
  const engines = await openEngines(config);
  try {
    let [checked, faults] = [0, 0];
    for await (const names of listUsedBlobs(engines.db)) {
      faults += await checkSome(engines, names, withHashes, say);
      checked += names.length;
    }
    const [good, bad] = withHashes ? ["there, with the right bytes", "missing or damaged"] : ["there", "missing"];
    say(faults === 0 ? `All ${checked} files are ${good}.` : `${faults} of ${checked} files are ${bad}.`);
    return faults === 0 ? 0 : 1;
  } finally {
    await engines.close();
  }
}

async function checkSome({ db, blobs }: Engines, names: string[], withHashes: boolean, say: (line: string) => void) {
  const faults = new Map<string, string>();
  const waiting = [...names];
  const lanes = Array.from({ length: atOnce }, async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) {
      const fault = await findFault(blobs, name, withHashes);
      if (fault) faults.set(name, fault);
    }
  });
  await Promise.all(lanes);
  // What a running server has deleted meanwhile is not missing.
  const used = await findUsedBlobs(db, [...faults.keys()]);
  for (const name of used) say(`${faults.get(name)}: ${name} (${(await describeReferences(db, name)).join(", ")})`);
  return used.size;
}

async function findFault(blobs: Blobs, sha256: string, withHashes: boolean): Promise<"missing" | "damaged" | null> {
  if (!withHashes) return (await blobs.has(sha256)) ? null : "missing";
  const bytes = await blobs.open(sha256);
  if (!bytes) return "missing";
  return (await hashOf(chunksOf(bytes))) === sha256 ? null : "damaged";
}
