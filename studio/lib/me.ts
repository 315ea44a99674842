import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => api.readMe({}, { signal }),
  staleTime: Infinity,
});

/** The person who has signed in. Known before a screen is shown. */
export const useMe = () => useSuspenseQuery(meQuery).data;

export const useIsAdmin = (): boolean => useMe().role === "admin";
