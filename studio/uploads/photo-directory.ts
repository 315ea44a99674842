import type { Client } from "../../client/src/index.ts";

/** Where the files of photos are stored if nothing else is chosen: by the year of the upload. */
export const photoDirectory = (): string => `/photos/${new Date().getFullYear()}`;

/** Where the pictures that are added to a post are stored. */
export const postDirectory = "/Blog";

/**
 * The directory of a private upload is created private. These are for all photos, so the first one must not hide the files
 * of those that come later: what is in them decides by itself who sees it.
 */
export function createPhotoDirectories(api: Client) {
  const opened = new Map<string, Promise<void>>();

  return async (path: string): Promise<void> => {
    const directory = [photoDirectory(), postDirectory].find((one) => path === one || path.startsWith(`${one}/`));
    if (directory === undefined) return;
    const opening = opened.get(directory) ?? create(directory);
    opened.set(directory, opening);
    await opening;
  };

  /** If that fails, the upload says why. */
  async function create(directory: string): Promise<void> {
    const names = directory.split("/").slice(1);
    try {
      for (const [depth, name] of names.entries()) {
        const path = `/${names.slice(0, depth).join("/")}`;
        // Directories come first.
        const { items } = await api.listDirectory({ path, cursor: "", pageSize: 1000 });
        if (!items.some((entry) => entry.name === name))
          await api.createDirectory({ path, name, visibility: "public" });
      }
    } catch {
      opened.delete(directory);
    }
  }
}
