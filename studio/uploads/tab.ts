import { newID } from "../lib/new-id.ts";
import { keepUploads, listKept } from "./kept.ts";
import type { Upload } from "./upload.ts";

const lockOf = (tab: string) => `vitrine uploads of ${tab}`;

export const tabID = newID();

/** Under which the tab keeps how many uploads were over before it was loaded again. */
export const doneBefore = "uploads done";

/**
 * The unfinished uploads of tabs that are closed or were loaded again, and not those of other tabs that are open: each
 * tab holds a lock while it is open.
 */
export async function adoptUploads(userID: number): Promise<Upload[]> {
  const { locks } = navigator;
  if (!locks) return (await listKept()).filter((upload) => upload.userID === userID);
  // Held until the page is closed.
  void locks.request(lockOf(tabID), () => new Promise(() => {}));
  return locks.request("vitrine uploads", async () => {
    const { held = [] } = await locks.query();
    const open = new Set(held.map(({ name }) => name));
    const left = (await listKept()).filter((upload) => upload.userID === userID && !open.has(lockOf(upload.tabID)));
    await keepUploads(left.map((upload) => ({ ...upload, tabID })));
    return left;
  });
}
