import { removeUnusedImages } from "../images/store.ts";
import { isOutdatedVariant } from "../images/variants.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database, Lease } from "../platform/database/database.ts";
import { findUsedBlobs } from "../used-blobs.ts";

/** Removes blobs that no row refers to, and what was read of them. */
export async function sweep(db: Database, blobs: Blobs, lease: Lease): Promise<void> {
  const findUsed = async (names: string[]) => {
    await lease.check();
    return findUsedBlobs(db, names);
  };
  await blobs.sweep(findUsed, isOutdatedVariant);
  await removeUnusedImages(db, findUsed);
}
