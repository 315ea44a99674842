import type { ReadSite } from "../engines.ts";
import { chunksOf } from "../platform/blobs/blobs.ts";
import type { Schema } from "../platform/database/tables.ts";
import { hashOf } from "../platform/hash.ts";
import { inParallel } from "../platform/in-parallel.ts";
import { describeReferences, findSizes, findUsedBlobs, listUsedBlobs } from "../core/storage/used-blobs.ts";
import { error, type Finding } from "./doctor-finding.ts";

const atOnce = 8;

/** Whether every stored file is present and has its size, and with hashes also its bytes. */
export async function findMissingBytes(
  site: ReadSite,
  schema: Schema,
  withHashes: boolean,
): Promise<{ findings: Finding[]; checked: number }> {
  const findings: Finding[] = [];
  let checked = 0;
  for await (const names of listUsedBlobs(site.db)) {
    findings.push(...(await checkSome(site, schema, names, withHashes)));
    checked += names.length;
  }
  return { findings, checked };
}

async function checkSome(
  { db, blobs }: ReadSite,
  schema: Schema,
  names: string[],
  withHashes: boolean,
): Promise<Finding[]> {
  const faults = new Map<string, string>();
  const sizes = await findSizes(db, schema, names);
  await inParallel(names, atOnce, async (name) => {
    const fault = await findFault(blobs, name, sizes.get(name) ?? new Set(), withHashes);
    if (fault) faults.set(name, fault);
  });
  // A file that a running server has deleted in the meantime is not missing.
  const used = await findUsedBlobs(db, [...faults.keys()]);
  const findings: Finding[] = [];
  for (const name of used) {
    const users = (await describeReferences(db, name)).join(", ");
    findings.push(error("files", `${faults.get(name)}: ${name} (${users})`, "restore this file from a backup"));
  }
  return findings;
}

/** `sizes` are all that rows say about the size. */
async function findFault(
  blobs: ReadSite["blobs"],
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
