import { checkDatabase, findDatabaseDamage } from "./check-database.ts";
import { type Command, dataOption } from "./command.ts";
import type { Config } from "../config.ts";
import { type Engines, openEngines, refuseMissingSite } from "../engines.ts";
import { type Module, schemaOf } from "../module.ts";
import { type Blobs, chunksOf } from "../platform/blobs/blobs.ts";
import { hashOf } from "../platform/hash.ts";
import { inParallel } from "../platform/in-parallel.ts";
import type { Schema } from "../platform/database/tables.ts";
import { describeReferences, findSizes, findUsedBlobs, listUsedBlobs } from "../core/storage/used-blobs.ts";

const atOnce = 8;

export const checkCommand = (modules: readonly Module[]): Command => ({
  name: "check",
  summary: "look for damage: in the database, and stored files that are missing or have another size",
  details: "It repairs nothing: it says what is wrong, and which command repairs that.",
  options: { hash: { summary: "also compare the bytes of all stored files" }, ...dataOption },
  run: ({ config, options }) => check(config, modules, options.hash !== undefined),
});

/** Says that something is intact only after it was compared. Returns the exit code. */
async function check(config: Config, modules: readonly Module[], withHashes: boolean): Promise<number> {
  await refuseMissingSite(config);
  const damage = await findDatabaseDamage(config);
  if (damage.length > 0) {
    for (const line of damage) console.log(`database: ${line}`);
    console.log("The database is damaged: restore it from a backup. Nothing else was checked.");
    return 1;
  }
  const schema = schemaOf(modules);
  const engines = await openEngines(config, schema);
  try {
    let problems = 0;
    for await (const line of checkDatabase(config, engines.db, modules)) {
      console.log(line);
      problems++;
    }
    console.log(
      problems === 0
        ? "The database is consistent."
        : `The database has ${problems} ${problems === 1 ? "problem" : "problems"}.`,
    );
    const isWhole = await checkFiles(engines, schema, withHashes);
    return problems === 0 && isWhole ? 0 : 1;
  } finally {
    await engines.close();
  }
}

async function checkFiles(engines: Engines, schema: Schema, withHashes: boolean): Promise<boolean> {
  let [checked, faults] = [0, 0];
  for await (const names of listUsedBlobs(engines.db)) {
    faults += await checkSome(engines, schema, names, withHashes);
    checked += names.length;
  }
  const good = withHashes ? "present and intact" : "present and have the right size; --hash also compares their bytes";
  const bad = "missing or damaged";
  console.log(faults === 0 ? `All ${checked} files are ${good}.` : `${faults} of ${checked} files are ${bad}.`);
  return faults === 0;
}

async function checkSome({ db, blobs }: Engines, schema: Schema, names: string[], withHashes: boolean) {
  const faults = new Map<string, string>();
  const sizes = await findSizes(db, schema, names);
  await inParallel(names, atOnce, async (name) => {
    const fault = await findFault(blobs, name, sizes.get(name) ?? new Set(), withHashes);
    if (fault) faults.set(name, fault);
  });
  // A file that a running server has deleted in the meantime is not missing.
  const used = await findUsedBlobs(db, [...faults.keys()]);
  for (const name of used)
    console.log(`${faults.get(name)}: ${name} (${(await describeReferences(db, name)).join(", ")})`);
  return used.size;
}

/** `sizes` are all that rows say about the size. */
async function findFault(
  blobs: Blobs,
  sha256: string,
  sizes: Set<number>,
  withHashes: boolean,
): Promise<"missing" | "damaged" | null> {
  const size = await blobs.sizeOf(sha256);
  if (size === null) return "missing";
  if ([...sizes].some((one) => one !== size)) return "damaged";
  if (!withHashes) return null;
  const bytes = await blobs.open(sha256);
  if (!bytes) return "missing";
  return (await hashOf(chunksOf(bytes))) === sha256 ? null : "damaged";
}
