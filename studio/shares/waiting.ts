import { useQuery } from "@tanstack/react-query";
import type { Share, WaitingUpload } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";

export type Guest = { share: Share; upload: WaitingUpload };

/** Links that are being revoked. What waited for approval is removed with them, so it is no longer read. */
const revoked = new Set<number>();

/** Revokes a link. If that fails, it stays as it was. */
export async function revokeShare(id: number): Promise<void> {
  revoked.add(id);
  await queries.cancelQueries({ queryKey: waitingKey });
  try {
    await api.endShare({ id });
  } catch (error) {
    revoked.delete(id);
    throw error;
  }
}

const waitingKey = ["shares", "waiting"];

/** The pictures that wait for approval, of all links, oldest first. */
export function useWaiting(shares: readonly Share[]) {
  const open = shares.filter(({ waitingUploads }) => waitingUploads > 0);
  return useQuery({
    queryKey: [...waitingKey, open.map(({ id, waitingUploads }) => [id, waitingUploads])],
    queryFn: async ({ signal }) => {
      const guests: Guest[] = [];
      for (const share of open) {
        if (revoked.has(share.id)) continue;
        const uploads = await api.listShareUploads({ id: share.id }, { signal });
        guests.push(...uploads.map((upload) => ({ share, upload })));
      }
      return guests.toSorted((one, other) => one.upload.createdAt.localeCompare(other.upload.createdAt));
    },
    placeholderData: (before) => before,
  });
}
