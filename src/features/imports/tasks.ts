import type { Queries } from "../../platform/database/database.ts";
import { queue } from "../../platform/jobs/queue.ts";
import type { SaidOfPhoto } from "../../content/albums/make-photo.ts";

/** The delay after each temporary failure; after one more, the rest is left for another import. */
const delaysMs = [10_000, 60_000, 300_000, 1_800_000];

export type DirectoryTask = { directoryID: number; after: { key: string; id: number } | null };
/** `said` is what the source of an import says of the photo. */
export type FileTask = { fileID: number; said: SaidOfPhoto | null };

/** The files of imports of which photos are made, and the directories in which they are found. */
export const photoTasks = queue<DirectoryTask | FileTask>({
  name: "photos of imports",
  atOnce: 8,
  delaysMs,
  // Pictures are read in other processes: one that was under way when the server ended has hardly ended it.
  maxBegins: 5,
});

/** The sources outside the site that are read, and the imports that are undone: one task for each import. */
export const sourceTasks = queue<null>({
  name: "sources of imports",
  atOnce: 3,
  delaysMs,
  maxBegins: 2,
  // A source that has ended the server, or fills its memory, must not end it again at once.
  quietMs: 60_000,
  keep: () => null,
});

export const sourceTask = (importID: number) => ({ key: `${importID}`, group: importID, payload: null });

export const addDirectories = (tx: Queries, importID: number, ids: number[]): Promise<void> =>
  photoTasks.add(
    tx,
    ids.map((directoryID) => ({
      key: `${importID} directory ${directoryID}`,
      group: importID,
      payload: { directoryID, after: null },
    })),
  );
