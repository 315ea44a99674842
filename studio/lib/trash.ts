import type { TrashEntry } from "../../client/src/index.ts";
import { api } from "./api.ts";
import { explain } from "./explain.ts";
import { runJob, slicesOf } from "./jobs.ts";
import { translate } from "./language.ts";
import { queries } from "./queries.ts";
import { showToast } from "./toasts.ts";

const t = translate({
  en: { restoring: "Restoring", restored: "Restored." },
  de: { restoring: "Wiederherstellen", restored: "Wiederhergestellt." },
});

/** Undoes a deletion. If some records cannot be restored, it says why, and offers to try those again. */
export async function restoreRecords(kind: TrashEntry["kind"], ids: readonly number[]): Promise<void> {
  const restored = new Set<number>();
  let problem: string | null = null;
  try {
    await runJob(t.restoring, ids.length, async (report, signal) => {
      for (const some of slicesOf(ids, 500)) {
        if (signal.aborted) return;
        const { results } = await api.restoreManyFromTrash({ records: some.map((id) => ({ kind, id })) });
        for (const { id, error } of results) {
          if (error === null) restored.add(id);
          else problem ??= error;
        }
        report(restored.size);
      }
    });
  } catch (error) {
    problem = explain(error);
  }
  const left = ids.filter((id) => !restored.has(id));
  if (problem !== null) showToast({ text: problem, isFailure: true, retry: () => void restoreRecords(kind, left) });
  else if (restored.size > 0) showToast({ text: t.restored });
  await queries.invalidateQueries();
}
