import type { Client } from "../../client/src/index.ts";

/** Where the files of photos are stored if nothing else is chosen: by the year in which each was taken. */
export const photoDirectory = "/photos/:year";

const inYear = (path: string, year: number): string => path.replace(photoDirectory, `/photos/${year}`);

/** The directory of an upload, once its content can be read. */
export async function directoryOf(path: string, file: File): Promise<string> {
  return path.startsWith(photoDirectory) ? inYear(path, await yearOf(file)) : path;
}

/** The metadata of pictures is at their beginning. */
const searchedBytes = 2 ** 18;
const exifTime = /(?<!\d)((?:19|20)\d\d):(?:0\d|1[0-2]):[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d\0/g;

/**
 * When a picture was taken: the earliest time in its metadata, because programs add later ones. Without any, when the file
 * was last changed, which cameras and copies keep.
 */
async function yearOf(file: File): Promise<number> {
  const text = new TextDecoder("latin1").decode(await file.slice(0, searchedBytes).arrayBuffer());
  const [first] = Array.from(text.matchAll(exifTime), ([, year]) => Number(year)).toSorted();
  return first ?? new Date(file.lastModified).getFullYear();
}

/** Where the pictures that are added to a post are stored. */
export const postDirectory = "/Blog";

/**
 * The directory of a private upload is created private. These are for all photos, so the first one must not hide the files
 * of those that come later: who sees the files in them is decided for each of these.
 */
export function createPhotoDirectories(api: Client) {
  const opened = new Map<string, Promise<void>>();

  return async (path: string): Promise<void> => {
    const [directory] = /^(\/photos\/\d{4}|\/Blog)(?=\/|$)/.exec(path) ?? [];
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
