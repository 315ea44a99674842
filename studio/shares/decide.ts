import { api, isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { shareTexts as t } from "./texts.ts";
import type { Guest } from "./waiting.ts";

/** One after the other. `onDone` gets how many are done. */
export async function approve(
  guests: readonly Guest[],
  visibility: "public" | "private",
  onDone: (count: number) => void,
): Promise<void> {
  let done = 0;
  try {
    for (const { share, upload } of guests) {
      const path = share.kind === "album" ? { path: "/photos", byYear: true } : {};
      await unlessGone(api.approveShareUpload({ id: share.id, uploadID: upload.id, visibility, ...path }));
      onDone(++done);
    }
    showToast({ text: t.approved(done) });
  } catch (error) {
    const rest = guests.slice(done);
    showToast({ text: explain(error), isFailure: true, retry: () => void approve(rest, visibility, onDone) });
  }
  for (const key of ["shares", "albums", "photos", "files"]) void queries.invalidateQueries({ queryKey: [key] });
}

const undoTime = 9000;

/**
 * A rejected picture cannot be restored, so it is deleted only when the time to undo is over. If the page is closed
 * before, it still waits for approval.
 */
export function reject(guests: readonly Guest[], onUndone: () => void): void {
  const timer = setTimeout(() => void deleteAll(guests, onUndone), undoTime);
  showToast({
    text: t.rejected(guests.length),
    undo() {
      clearTimeout(timer);
      onUndone();
    },
  });
}

async function deleteAll(guests: readonly Guest[], onUndone: () => void): Promise<void> {
  try {
    for (const { share, upload } of guests) {
      await unlessGone(api.rejectShareUpload({ id: share.id, uploadID: upload.id }));
    }
  } catch (error) {
    onUndone();
    showToast({ text: explain(error), isFailure: true, retry: () => void deleteAll(guests, onUndone) });
  }
  void queries.invalidateQueries({ queryKey: ["shares"] });
}

/** Another person may have decided since then. */
async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}
