import { addToQueue } from "./tab-queue.ts";
import type { Chosen, Target } from "./upload.ts";

export type { Chosen, Target };

/** Uploads files in the background, whatever screen is open. The tray shows how far they are. */
export function addUploads(chosen: readonly Chosen[], target: Target): void {
  if (chosen.length > 0) addToQueue(chosen, target);
}

export { photoDirectory, postDirectory } from "./photo-directory.ts";
