import { findAlbums } from "../albums/store.ts";
import { findPosts } from "../blog/store.ts";
import type { Comment } from "../comments/comment.ts";
import { findComments as findCommentsByID } from "../comments/store.ts";
import { type File, presentFile } from "../files/file.ts";
import { findFiles as findStoredFiles } from "../files/store.ts";
import { findPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import { indexRecord, type Texts } from "../platform/search/documents.ts";
import { type Kind, type Records, textsOf } from "./search.ts";

export type Found = Texts & { record: Records[Kind] };

/** Where records of a kind are. What is in the trash, or below something that is, is not there. */
export type Room = {
  table: Sql;
  /** By their ids, and as the viewer sees them. */
  find(db: Reader, ids: number[], viewer: Viewer): Promise<Map<number, Found>>;
  index(tx: Queries, ids: number[]): Promise<void>;
};

export const rooms: Record<Kind, Room> = {
  photo: openRoom("photo", sql`photos`, findPhotos),
  post: openRoom("post", sql`posts`, findPosts),
  comment: openRoom("comment", sql`comments`, findComments),
  album: openRoom("album", sql`albums`, findAlbums),
  file: openRoom("file", sql`files`, findFiles),
};

function openRoom<K extends Kind>(
  kind: K,
  table: Sql,
  find: (db: Reader, viewer: Viewer, ids: number[]) => Promise<Map<number, Records[K]>>,
): Room {
  return {
    table,
    async find(db, ids, viewer) {
      const records = await find(db, viewer, ids);
      return new Map([...records].map(([id, record]) => [id, { ...textsOf[kind](record), record }]));
    },
    async index(tx, ids) {
      for (const [id, record] of await find(tx, null, ids)) {
        const asOwner = (await find(tx, { id: record.ownerID, role: "reader" }, [id])).get(id) ?? record;
        await indexRecord(tx, kind, record, textsOf[kind](record), textsOf[kind](asOwner).text);
      }
    },
  };
}

async function findComments(db: Reader, _viewer: Viewer, ids: number[]): Promise<Map<number, Comment>> {
  return findCommentsByID(db, ids);
}

async function findFiles(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, File>> {
  const files = await findStoredFiles(db, ids);
  return new Map([...files].map(([id, file]) => [id, presentFile(file, viewer)]));
}
