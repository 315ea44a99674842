import { queryOptions } from "@tanstack/react-query";
import { api } from "../lib/api.ts";

export const sharesQuery = (owner: "me" | "all") =>
  queryOptions({
    queryKey: ["shares", "list", owner],
    queryFn: ({ signal }) => Array.fromAsync(api.listShares.all(owner === "all" ? { owner } : {}, { signal })),
    // A visit is not a change of a record, so there is no event for it.
    refetchInterval: 60_000,
  });
