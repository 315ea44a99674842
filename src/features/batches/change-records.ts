import { trashAlbum, getAlbumHead, updateAlbum } from "../../content/albums/store.ts";
import { type BatchResult, changeEach } from "../../core/records/batch.ts";
import { getPostHead } from "../../content/blog/store.ts";
import { trashPost, updatePost } from "../../content/blog/write.ts";
import { notOwner } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { RecordBatch } from "./batch.ts";

type Kind = {
  getHead: typeof getPostHead;
  update(tx: Queries, caller: Caller, id: number, changes: Pick<RecordBatch, "visibility">): Promise<unknown>;
  trash: typeof trashPost;
};

const posts: Kind = { getHead: getPostHead, update: updatePost, trash: trashPost };
const albums: Kind = { getHead: getAlbumHead, update: updateAlbum, trash: trashAlbum };

export const changePosts = createChange(posts);
export const changeAlbums = createChange(albums);

/** Changes those of the records that the caller may change. They are locked in the order of their ids. */
function createChange(kind: Kind) {
  return (tx: Queries, caller: Caller, batch: RecordBatch, trash: Trash): Promise<BatchResult> => {
    const { ids, visibility, trash: isTrashed } = batch;
    const change = async (id: number) => {
      const head = await kind.getHead(tx, caller, id, tx.forUpdate);
      if (!isOwnerOrAdmin(caller, head)) throw notOwner();
      if (visibility) await kind.update(tx, caller, id, { visibility });
      if (isTrashed) await kind.trash(tx, trash, id, caller.id);
    };
    return changeEach(
      ids,
      change,
      ids.toSorted((one, other) => one - other),
    );
  };
}
