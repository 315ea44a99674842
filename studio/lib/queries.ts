import {
  type InfiniteData,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { VitrineError } from "../../client/src/index.ts";
import { api } from "./api.ts";
import { isUnreachable } from "./connection.ts";
import { showToast } from "./toasts.ts";
import { explain } from "./explain.ts";
import { findKind } from "./kinds.ts";

// Before the next frame, not after a timer: a switch that is pressed would be shown as it was for a moment.
notifyManager.setScheduler(queueMicrotask);

/** A second factor may be required while the studio is open: then it asks for one instead of showing anything else. */
function noticeMissingFactor(error: Error): void {
  if (error instanceof VitrineError && error.code === "factor_setup_required")
    void queries.invalidateQueries({ queryKey: ["me"] });
}

/**
 * Keys of queries begin with the kind of record: `["photos", …]`. A change to such a record, even by someone else, makes
 * them load again.
 */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeMissingFactor }),
  mutationCache: new MutationCache({ onError: noticeMissingFactor }),
  defaultOptions: {
    queries: {
      // The client repeats requests itself. Events report changes, so data does not become old.
      retry: false,
      networkMode: "always",
      // Otherwise this mode switches it off. What has failed is loaded again when the network is back.
      refetchOnReconnect: true,
      staleTime: 60_000,
      // The client knows the ETags of the objects that it has returned.
      structuralSharing: false,
      throwOnError: false,
    },
    mutations: {
      retry: false,
      networkMode: "always",
      onError: (error) => showToast({ text: explain(error), isFailure: true }),
    },
  },
});

/** Changes what is shown of the lists whose keys begin with `queryKey`, before the server has done it. */
export function changeItems<Item>(queryKey: QueryKey, change: (items: Item[]) => Item[]): void {
  queries.setQueriesData<InfiniteData<{ items: Item[] }>>(
    { queryKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) },
  );
}

/** The first parts of keys, by the kinds of events that are not about records. */
const otherKeys: Record<string, string[]> = {
  share: ["shares"],
  user: ["people"],
  webhook: ["webhooks"],
  redirect: ["redirects"],
};
const keysOf = (kind: string): readonly string[] => findKind({ kind })?.keys ?? otherKeys[kind] ?? [kind];

/** Changes come in groups, such as an upload of many photos: each key is loaded again at most once a second. */
export async function followEvents(signal: AbortSignal): Promise<void> {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const reload = (keys: string[]) => {
    for (const key of keys) changed.add(key);
    timer ??= setTimeout(() => {
      timer = null;
      for (const key of changed) void queries.invalidateQueries({ queryKey: [key] });
      changed.clear();
    }, 1000);
  };
  try {
    for await (const event of api.events({ signal })) {
      if (event.type === "change") reload([...keysOf(event.kind), "trash", "attention", "activity"]);
      else if (event.type === "reload" || (event.type === "ready" && isUnreachable())) void queries.invalidateQueries();
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof VitrineError)) throw error;
  }
}
