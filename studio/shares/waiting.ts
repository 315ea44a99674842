import { useQuery } from "@tanstack/react-query";
import type { Share, WaitingUpload } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";

export type Guest = { share: Share; upload: WaitingUpload };

/** The pictures that wait for approval, of all links, oldest first. */
export function useWaiting(shares: readonly Share[]) {
  const open = shares.filter(({ waitingUploads }) => waitingUploads > 0);
  return useQuery({
    queryKey: ["shares", "waiting", open.map(({ id, waitingUploads }) => [id, waitingUploads])],
    queryFn: async ({ signal }) => {
      const guests: Guest[] = [];
      for (const share of open) {
        const uploads = await api.listShareUploads({ id: share.id }, { signal });
        guests.push(...uploads.map((upload) => ({ share, upload })));
      }
      return guests.toSorted((one, other) => one.upload.createdAt.localeCompare(other.upload.createdAt));
    },
    placeholderData: (before) => before,
  });
}
