import { findAlbums } from "../albums/store.ts";
import { findPosts } from "../blog/store.ts";
import type { Comment } from "../comments/comment.ts";
import { findComments as findCommentsByID } from "../comments/store.ts";
import { type File, presentFile } from "../files/file.ts";
import { findFiles as findStoredFiles } from "../files/store.ts";
import { findPhotos } from "../photos/store.ts";
import type { Reader } from "../platform/database/database.ts";
import { sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import type { Indexed, Texts } from "../platform/search/documents.ts";
import { type Kind, type Records, textsOf } from "./search.ts";

export type Found = Texts & { record: Records[Kind] };

/** Where records of a kind are. What is in the trash, or below something that is, is not there. */
export type Room = {
  table: Sql;
  /** How many are read in one slice. */
  readAtOnce: number;
  /** By their ids, and as the viewer sees them. */
  find(db: Reader, ids: number[], viewer: Viewer): Promise<Map<number, Found>>;
  /** What they can be found by. */
  read(db: Reader, ids: number[]): Promise<Map<number, Indexed>>;
};

export const rooms: Record<Kind, Room> = {
  photo: openRoom("photo", sql`photos`, { find: findPhotos, readAtOnce: 50, hasOwnText: true }),
  // Posts from an earlier version have up to two million characters.
  post: openRoom("post", sql`posts`, { find: findPosts, readAtOnce: 4 }),
  comment: openRoom("comment", sql`comments`, { find: findComments, readAtOnce: 50 }),
  album: openRoom("album", sql`albums`, { find: findAlbums, readAtOnce: 50 }),
  file: openRoom("file", sql`files`, { find: findFiles, readAtOnce: 50 }),
};

type Source<K extends Kind> = {
  find(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Records[K]>>;
  readAtOnce: number;
  /** Whether owners see more text than others do. */
  hasOwnText?: boolean;
};

function openRoom<K extends Kind>(kind: K, table: Sql, { find, readAtOnce, hasOwnText }: Source<K>): Room {
  async function findAsOwners(db: Reader, records: Records[K][]): Promise<Map<number, Records[K]>> {
    const byOwner = [...Map.groupBy(records, ({ ownerID }) => ownerID)];
    const found = await Promise.all(
      byOwner.map(([id, own]) => {
        const ids = own.map((record) => record.id);
        return find(db, { id, role: "reader" }, ids);
      }),
    );
    return new Map(found.flatMap((some) => [...some]));
  }

  return {
    table,
    readAtOnce,
    async find(db, ids, viewer) {
      const records = await find(db, viewer, ids);
      return new Map([...records].map(([id, record]) => [id, { ...textsOf[kind](record), record }]));
    },
    async read(db, ids) {
      const records = await find(db, null, ids);
      const asOwners = hasOwnText ? await findAsOwners(db, [...records.values()]) : records;
      return new Map(
        [...records].map(([id, record]) => {
          const texts = textsOf[kind](record);
          const ownText = textsOf[kind](asOwners.get(id) ?? record).text;
          return [id, { ...texts, ownText, ownerID: record.ownerID }];
        }),
      );
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
