import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { runJob, slicesOf } from "../lib/jobs.ts";
import { say } from "../lib/toasts.ts";
import { reloadFiles } from "./folder.ts";
import { fileTexts as t } from "./texts.ts";

/** Takes files and directories out of the trash again. */
export async function restoreEntries(ids: readonly number[]): Promise<void> {
  await runJob(t.restoring, ids.length, async (report, signal) => {
    let done = 0;
    for (const some of slicesOf(ids, 500)) {
      if (signal.aborted) return;
      await api.restoreManyFromTrash({ records: some.map((id) => ({ kind: "file" as const, id })) });
      report((done += some.length));
    }
  });
}

/** Undoes a deletion. */
export async function undoTrash(ids: readonly number[]): Promise<void> {
  try {
    await restoreEntries(ids);
  } catch (error) {
    say({ text: explain(error), isFailure: true, retry: () => void undoTrash(ids) });
  }
  void reloadFiles();
}
