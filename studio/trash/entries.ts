import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { TrashEntry } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { type ShownKind, shownKindOf } from "../lib/kinds.ts";
import { runJob, slicesOf } from "../lib/jobs.ts";
import { changeItems, queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { trashTexts as t } from "./texts.ts";

const trashQuery = infiniteQueryOptions({
  queryKey: ["trash", "entries"],
  queryFn: ({ pageParam, signal }) =>
    api.listTrash({ cursor: pageParam, pageSize: pageParam ? 1000 : 100 }, { signal }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next?.cursor,
});

/** What was deleted, newest first. The API does not filter by kind: all is loaded for that, and with `wantsAll`. */
export function useTrash(kind: ShownKind | "all", wantsAll: boolean) {
  const query = useInfiniteQuery(trashQuery);
  const { data, hasNextPage, isFetching, error, fetchNextPage } = query;
  useEffect(() => {
    if ((wantsAll || kind !== "all") && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [kind, wantsAll, hasNextPage, isFetching, error, fetchNextPage]);
  const all = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const entries = useMemo(
    () => (kind === "all" ? all : all.filter((entry) => shownKindOf(entry) === kind)),
    [all, kind],
  );
  const loadMore = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return { query, entries, isEmpty: all.length === 0 && !hasNextPage, loadMore };
}

const requests = { restore: api.restoreManyFromTrash, delete: api.deleteManyForGood };
const texts = { restore: [t.restoring, t.restored], delete: [t.deleting, t.gone] } as const;

/** Restores entries, or deletes them permanently, in the background. They are hidden at once. */
export async function handleEntries(action: "restore" | "delete", entries: readonly TrashEntry[]): Promise<void> {
  const [label, result] = texts[action];
  const ids = new Set(entries.map(({ id }) => id));
  changeItems<TrashEntry>(trashQuery.queryKey, (items) => items.filter(({ id }) => !ids.has(id)));
  let done = 0;
  const problems: string[] = [];
  try {
    await runJob(label(entries.length), entries.length, async (report, signal) => {
      for (const some of slicesOf(entries, 200)) {
        if (signal.aborted) return;
        const records = some.map(({ kind, recordID }) => ({ kind, id: recordID }));
        const { changed, results } = await requests[action]({ records });
        for (const { error } of results) if (error !== null) problems.push(error);
        report((done += changed));
      }
    });
  } catch (error) {
    problems.push(explain(error));
  }
  void queries.invalidateQueries();
  if (problems[0]) showToast({ text: t.refused(problems.length, problems[0]), isFailure: true });
  if (done > 0) showToast({ text: result(done) });
}

/** All entries of one's own, including those that are not loaded. */
export async function emptyTrash(ownerID: number): Promise<void> {
  const entries: TrashEntry[] = [];
  try {
    for await (const entry of api.listTrash.all({ pageSize: 1000 })) {
      if (entry.ownerID === ownerID && entry.deletedByID === ownerID) entries.push(entry);
    }
    await handleEntries("delete", entries);
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void emptyTrash(ownerID) });
  }
}
