import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatNumber } from "../lib/format.ts";
import { queries } from "../lib/queries.ts";
import { say } from "../lib/toasts.ts";
import { photosTexts as t } from "./texts.ts";

const mostAtOnce = 1000;

/** Takes photos out of the trash. */
export async function restorePhotos(ids: readonly number[]): Promise<void> {
  let restored = 0;
  try {
    for (; restored < ids.length; restored += mostAtOnce) {
      const records = ids.slice(restored, restored + mostAtOnce).map((id) => ({ kind: "photo" as const, id }));
      await api.restoreManyFromTrash({ records });
    }
    say({ text: t.restored(formatNumber(ids.length)) });
  } catch (error) {
    const left = ids.slice(restored);
    say({ text: explain(error), isFailure: true, retry: () => void restorePhotos(left) });
  }
  for (const key of ["photos", "timeline", "albums", "trash"]) void queries.invalidateQueries({ queryKey: [key] });
}
