import { type Command, dataOption } from "./command.ts";
import type { Config } from "./config.ts";
import { type Engines, openEngines, refuseMissingSite } from "./engines.ts";
import { type Blobs, chunksOf } from "./platform/blobs/blobs.ts";
import { hashOf } from "./platform/hash.ts";
import type { Schema } from "./platform/database/tables.ts";
import { describeReferences, findUsedBlobs, listUsedBlobs } from "./used-blobs.ts";

const atOnce = 8;

export const checkCommand: Command = {
  name: "check",
  summary: "report stored files that are missing",
  options: { hash: { summary: "also report files whose bytes have changed" }, ...dataOption },
  run: ({ config, schema, options }) => check(config, schema, options.hash !== undefined),
};

/** Reports files that the database refers to but the blob store does not have; with `withHashes`, also damaged ones. */
async function check(config: Config, schema: Schema, withHashes: boolean): Promise<number> {
  await refuseMissingSite(config);
  const engines = await openEngines(config, schema);
  try {
    let [checked, faults] = [0, 0];
    for await (const names of listUsedBlobs(engines.db)) {
      faults += await checkSome(engines, names, withHashes);
      checked += names.length;
    }
    const [good, bad] = withHashes ? ["present and intact", "missing or damaged"] : ["present", "missing"];
    console.log(faults === 0 ? `All ${checked} files are ${good}.` : `${faults} of ${checked} files are ${bad}.`);
    return faults === 0 ? 0 : 1;
  } finally {
    await engines.close();
  }
}

async function checkSome({ db, blobs }: Engines, names: string[], withHashes: boolean) {
  const faults = new Map<string, string>();
  const waiting = [...names];
  const workers = Array.from({ length: atOnce }, async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) {
      const fault = await findFault(blobs, name, withHashes);
      if (fault) faults.set(name, fault);
    }
  });
  await Promise.all(workers);
  // A file that a running server has deleted in the meantime is not missing.
  const used = await findUsedBlobs(db, [...faults.keys()]);
  for (const name of used)
    console.log(`${faults.get(name)}: ${name} (${(await describeReferences(db, name)).join(", ")})`);
  return used.size;
}

async function findFault(blobs: Blobs, sha256: string, withHashes: boolean): Promise<"missing" | "damaged" | null> {
  if (!withHashes) return (await blobs.has(sha256)) ? null : "missing";
  const bytes = await blobs.open(sha256);
  if (!bytes) return "missing";
  return (await hashOf(chunksOf(bytes))) === sha256 ? null : "damaged";
}
