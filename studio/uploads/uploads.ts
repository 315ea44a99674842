import { addToQueue } from "./tab-queue.ts";
import type { ChosenFile, Target } from "./upload.ts";

export type { ChosenFile, Target };

/** Uploads files in the background, whatever screen is open. The tray shows how far they are. */
export function addUploads(chosen: readonly ChosenFile[], target: Target): void {
  if (chosen.length > 0) addToQueue(chosen, target);
}

export { photoDirectory, postDirectory } from "./photo-directory.ts";
