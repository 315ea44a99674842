import { findAlbums } from "../albums/store.ts";
import { findPosts } from "../blog/store.ts";
import { findComments } from "../comments/store.ts";
import { findFiles } from "../files/store.ts";
import type { Photo } from "../photos/photo.ts";
import { findPhotos, revealPlaces } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { sql, type Sql } from "../platform/database/sql.ts";
import { indexRecord, type Texts } from "../platform/search/documents.ts";
import { type Kind, type Records, textsOf } from "./search.ts";

export type Viewer = { id: number } | null;
export type Found = Texts & { record: Records[Kind] };

/** Where records of a kind are. What is in the trash, or below something that is, is not there. */
export type Room = {
  table: Sql;
  /** By their ids, and as the viewer sees them. */
  find(db: Reader, ids: number[], viewer: Viewer): Promise<Map<number, Found>>;
  index(tx: Queries, ids: number[]): Promise<void>;
};

export const rooms: Record<Kind, Room> = {
  photo: openRoom("photo", sql`photos`, findPhotosAs),
  post: openRoom("post", sql`posts`, findPosts),
  comment: openRoom("comment", sql`comments`, findComments),
  album: openRoom("album", sql`albums`, findAlbums),
  file: openRoom("file", sql`files`, findFiles),
};

function openRoom<K extends Kind>(
  kind: K,
  table: Sql,
  find: (db: Reader, ids: number[], viewer: Viewer) => Promise<Map<number, Records[K]>>,
): Room {
  return {
    table,
    async find(db, ids, viewer) {
      const records = await find(db, ids, viewer);
      return new Map([...records].map(([id, record]) => [id, { ...textsOf[kind](record), record }]));
    },
    async index(tx, ids) {
      for (const [id, record] of await find(tx, ids, null)) {
        const asOwner = (await find(tx, [id], { id: record.ownerID })).get(id) ?? record;
        await indexRecord(tx, kind, record, textsOf[kind](record), textsOf[kind](asOwner).text);
      }
    },
  };
}

async function findPhotosAs(db: Reader, ids: number[], viewer: Viewer): Promise<Map<number, Photo>> {
  const photos = await revealPlaces(db, viewer, [...(await findPhotos(db, ids)).values()]);
  return new Map(photos.map((photo) => [photo.id, photo]));
}
