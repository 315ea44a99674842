import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Share, WaitingUpload } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";

/** The pictures that guests have sent through one link. */
export const waitingQuery = (shareID: number) =>
  queryOptions({
    queryKey: ["shares", "uploads", shareID],
    queryFn: ({ signal }) => api.listShareUploads({ id: shareID }, { signal }),
  });

export type Guest = { share: Share; upload: WaitingUpload };

/** The pictures that wait for approval, of all links, oldest first. */
export function useWaiting(shares: readonly Share[]) {
  const open = shares.filter(({ allowUpload }) => allowUpload);
  return useQuery({
    queryKey: ["shares", "waiting", open.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const guests: Guest[] = [];
      for (const share of open) {
        const uploads = await api.listShareUploads({ id: share.id }, { signal });
        guests.push(...uploads.map((upload) => ({ share, upload })));
      }
      return guests.toSorted((one, other) => one.upload.createdAt.localeCompare(other.upload.createdAt));
    },
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  });
}
