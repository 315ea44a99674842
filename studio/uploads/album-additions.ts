import type { Client } from "../../client/src/index.ts";
import { createGatherer } from "../lib/gather.ts";

/** `hasUnsent`: whether more photos will be ready soon. */
export function createAlbumAdditions(api: Client, hasUnsent: () => boolean) {
  const add = createGatherer(
    async (albumID: number, ids: number[]) => (await api.changePhotos({ ids, albumID })).results,
    { milliseconds: 300, most: 100, isLast: () => !hasUnsent() },
  );

  /** Photos that are ready at about the same time are added by one request. */
  return async (albumID: number, photoID: number): Promise<void> => {
    const { status, error } = await add(albumID, photoID);
    if (status !== 200) throw new Error(error ?? "");
  };
}
