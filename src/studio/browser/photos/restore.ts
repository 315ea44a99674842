import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatNumber } from "../lib/format.ts";
import { queries } from "../lib/queries.ts";
import { say } from "../lib/toasts.ts";
import { photosTexts as t } from "./texts.ts";

/** Takes photos out of the trash. */
export async function restorePhotos(ids: readonly number[]): Promise<void> {
  const wanted = new Set(ids);
  try {
    for await (const { id, kind, recordID } of api.listTrash.all()) {
      if (kind !== "photo" || !wanted.delete(recordID)) continue;
      await api.restoreFromTrash({ id });
      if (wanted.size === 0) break;
    }
    say({ text: t.restored(formatNumber(ids.length - wanted.size)) });
  } catch (error) {
    say({ text: explain(error), isFailure: true, retry: () => void restorePhotos([...wanted]) });
  }
  for (const key of ["photos", "timeline", "albums", "trash"]) void queries.invalidateQueries({ queryKey: [key] });
}
