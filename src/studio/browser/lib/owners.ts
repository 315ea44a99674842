import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { useIsAdmin, useMe } from "./me.ts";

/** The names of the people who own records, by their ids. Only admins can read them. */
const ownersQuery = {
  queryKey: ["people", "owners"],
  queryFn: async () => new Map((await api.readStorage()).owners.map(({ ownerID, username }) => [ownerID, username])),
};

/** Returns the name of a person: null for oneself, and a number if it is not known. */
export function useOwnerNames(): (id: number) => string | null {
  const me = useMe();
  const isAdmin = useIsAdmin();
  const { data } = useQuery({ ...ownersQuery, enabled: isAdmin });
  return (id) => (id === me.id ? null : (data?.get(id) ?? `#${id}`));
}

export const useOwnerName = (id: number): string | null => useOwnerNames()(id);
