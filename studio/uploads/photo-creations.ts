import { type Client, type NewPhotoOfFile, VitrineError } from "../../client/src/index.ts";
import { createGatherer } from "../lib/gather.ts";

const maxAttempts = 10;

/** `hasUnsent`: whether more files will be stored soon. */
export function createPhotoCreations(api: Client, hasUnsent: () => boolean) {
  const create = createGatherer(
    async (albumID: number | null, photos: NewPhotoOfFile[]) =>
      (await api.createPhotos({ photos, ...(albumID !== null && { albumID }) })).results,
    { milliseconds: 300, most: 100, isLast: () => !hasUnsent() },
  );

  /** Photos of files that are stored at about the same time are created by one request, which also adds them to the album. */
  return async (photo: NewPhotoOfFile, albumID: number | null): Promise<number> => {
    for (let attempts = 1; ; attempts++) {
      const { photoID, status, error, reason } = await create(albumID, photo);
      if (photoID !== null) return photoID;
      if (status !== 503 || attempts === maxAttempts) throw new VitrineError(reason ?? error ?? "", { status });
      // The server is still reading other pictures.
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  };
}
