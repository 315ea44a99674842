import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Share } from "../../../../client/src/index.ts";
import { api, isStatus } from "../lib/api.ts";

export const sharesQuery = (owner: "me" | "all") =>
  queryOptions({
    queryKey: ["shares", "list", owner],
    queryFn: ({ signal }) => Array.fromAsync(api.listShares.all(owner === "all" ? { owner } : {}, { signal })),
    // A visit is no change of a record, so no event tells of it.
    refetchInterval: 60_000,
  });

/** The names of what links lead to, by kind and id such as `album 7`. Null if the record was deleted. */
export function useNames(shares: readonly Share[]): ReadonlyMap<string, string | null> {
  const keys = [...new Set(shares.map(keyOf))];
  const { data } = useQuery({
    queryKey: ["shares", "names", keys],
    queryFn: async ({ signal }) => {
      const names = new Map<string, string | null>();
      // One after the other: the list can be long, and it is shown before the names are known.
      for (const share of new Map(shares.map((share) => [keyOf(share), share])).values()) {
        names.set(keyOf(share), await readName(share, signal));
      }
      return names;
    },
    placeholderData: (before) => before,
  });
  return data ?? new Map();
}

export const keyOf = ({ kind, recordID }: Share): string => `${kind} ${recordID}`;

async function readName({ kind, recordID: id }: Share, signal: AbortSignal): Promise<string | null> {
  try {
    if (kind === "album") return (await api.readAlbum({ id, page: 1, pageSize: 1 }, { signal })).name;
    if (kind === "photo") return (await api.readPhoto({ id }, { signal })).title;
    if (kind === "post") return (await api.readPost({ id }, { signal })).title;
    return (await api.readFile({ id }, { signal })).name;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}
