import { removeUnusedImages } from "../images/store.ts";
import { isOutdatedVariant } from "../images/variant-names.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database, Lease, Reader } from "../../platform/database/database.ts";
import { readSetting, writeSetting } from "../../platform/database/settings.ts";
import { findKeptBlobs } from "./holds.ts";
import type { Variants } from "./storage.ts";

const settingName = "variants";

/** Removes blobs that no row refers to, and what was read of them. Stores how much space the variants take. */
export async function sweep(db: Database, blobs: Blobs, lease: Lease): Promise<void> {
  const findUsed = async (names: string[]) => {
    await lease.check();
    return findKeptBlobs(db, names);
  };
  const { derived } = await blobs.sweep(findUsed, isOutdatedVariant);
  const variants: Variants = { ...derived, countedAt: new Date().toISOString() };
  await writeSetting(db, settingName, JSON.stringify(variants));
  await removeUnusedImages(db, findUsed);
}

/** Null before the first sweep. */
export async function readVariants(db: Reader): Promise<Variants | null> {
  const value = await readSetting(db, settingName);
  return value === null ? null : (JSON.parse(value) as Variants);
}
