import type { StoredFile } from "../files/file.ts";
import type { Queries } from "../../platform/database/database.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import type { Originals } from "./originals.ts";
import { getPhotoHead } from "./store.ts";

type Deletion = {
  deletedByID: number;
  /** Whether their files go with them, as far as nothing else uses these. */
  withFile: boolean;
};

const photosAtOnce = 20;

/** Moves photos to the trash. Each is one entry, which restores the photo and the file that went with it. */
export async function trashPhotos(
  tx: Queries,
  { trash, originals }: { trash: Trash; originals: Originals },
  ids: number[],
  { deletedByID, withFile }: Deletion,
): Promise<void> {
  const files = withFile ? await originals.lockUnused(tx, ids) : new Map<number, StoredFile>();
  for (const [index, id] of ids.entries()) {
    if (index > 0 && index % photosAtOnce === 0) await nextTurn();
    await put(tx, trash, id, { deletedByID, file: files.get(id) });
  }
}

/** Its file stays. */
export const trashPhoto = (tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> =>
  put(tx, trash, id, { deletedByID, file: undefined });

async function put(
  tx: Queries,
  trash: Trash,
  id: number,
  { deletedByID, file }: { deletedByID: number; file: StoredFile | undefined },
): Promise<void> {
  const photo = await getPhotoHead(tx, seesEverything, id, tx.forUpdate);
  const along = file ? [{ ...file, kind: "file" }] : [];
  await trash.put(tx, "photo", photo, { name: photo.name, deletedByID, along });
}
