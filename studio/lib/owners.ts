import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "./api.ts";
import { useIsAdmin, useMe } from "./me.ts";

/** The name of a person: null for oneself, and a number for those who may not read it. */
export function useOwnerName(id: number): string | null {
  const me = useMe();
  const isAdmin = useIsAdmin();
  const { data } = useQuery({
    queryKey: ["people", "one", id],
    queryFn: ({ signal }) => api.readPerson({ id }, { signal }),
    enabled: isAdmin && id !== me.id,
  });
  return id === me.id ? null : (data?.username ?? `#${id}`);
}

/** Whether one may change a record: its owner and admins may. */
export function useMayChange(): (record: { ownerID: number }) => boolean {
  const { id } = useMe();
  const isAdmin = useIsAdmin();
  return useCallback(({ ownerID }) => isAdmin || ownerID === id, [id, isAdmin]);
}
