import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { keepForOffline, readForOffline } from "./account.ts";
import { api } from "./api.ts";
import { readOrKept } from "./connection.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) =>
    readOrKept(async (options) => {
      const me = await api.readMe({}, { signal, ...options });
      keepForOffline(me);
      return me;
    }, readForOffline),
  staleTime: Infinity,
  refetchOnReconnect: "always",
});

/** The person who has signed in. Known before a screen is shown. */
export const useMe = () => useSuspenseQuery(meQuery).data;

export const useIsAdmin = (): boolean => useMe().role === "admin";
