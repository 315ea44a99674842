import { openDatabase } from "../../src/engines.ts";
import { kindsOf, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Photo } from "../../src/content/photos/photo.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { raw, sql } from "../../src/platform/database/sql.ts";
import { splitTexts } from "../../src/platform/search/documents.ts";
import type { RecordKind } from "../../src/core/records/record-kind.ts";
import { catchUp } from "../../src/features/search/index-records.ts";
import { compareIndex } from "../../src/features/search/unindexed.ts";
import { seesEverything } from "../../src/core/records/visibility.ts";
import type { Client } from "./client.ts";
import { png } from "./files/png.ts";
import { serverConfig, type TestServer } from "./server.ts";
import { notesModule } from "../notes/module.ts";

export const api = "/api/v1";
export const withNotes = [...modules, notesModule];
export const everyKind: readonly RecordKind[] = kindsOf(withNotes);

/** The path of a kind in the API, and how to create a record of it. */
type Maker = { path: string; create(owner: Client): Promise<number> };

let number = 0;
const idOf = async (answer: Promise<{ status: number; body: any }>): Promise<number> => {
  const { status, body } = await answer;
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.id as number;
};

export const uploadPicture = (owner: Client, fields: Record<string, string> = {}) =>
  idOf(owner.upload(`${++number}.png`, png(2 + (number % 50), 3), fields));

const makers: Record<string, Maker> = {
  photo: {
    path: `${api}/photos`,
    create: async (owner) =>
      idOf(owner.post(`${api}/photos`, { title: "Photo", fileID: await uploadPicture(owner), tags: ["Sea"] })),
  },
  post: {
    path: `${api}/blog`,
    create: (owner) => idOf(owner.post(`${api}/blog`, { title: "Post", content: "Text", tags: ["Sea"] })),
  },
  comment: {
    path: `${api}/comments`,
    create: async (owner) =>
      idOf(
        owner.post(`${api}/comments`, { content: "Comment", blogPostID: await (makers.post as Maker).create(owner) }),
      ),
  },
  album: { path: `${api}/albums`, create: (owner) => idOf(owner.post(`${api}/albums`, { name: "Album" })) },
  file: { path: `${api}/files`, create: (owner) => uploadPicture(owner) },
  note: { path: `${api}/notes`, create: (owner) => idOf(owner.post(`${api}/notes`, { text: "Note" })) },
};

/** A kind without an entry fails every test that is about every kind. */
export function makerOf({ name }: RecordKind): Maker {
  const maker = makers[name];
  if (!maker) throw new Error(`tests/kit/every-kind.ts does not know how to create a record of the kind ${name}.`);
  return maker;
}

/** The database of a server with all kinds, for `findWrong`. */
export const openBeside = async (server: TestServer): Promise<Database> =>
  openDatabase(await serverConfig(server), server.schema);

/**
 * What is stored although it follows from the records, and is wrong: counts and lists by their names, as `vitrine rebuild
 * counts` finds them, and records whose words in the search index are not those of their texts.
 */
export async function findWrong(db: Database): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, rebuild } of schemaOf(withNotes).maintained) {
    const corrected = await rebuild(db);
    if (corrected > 0) wrong.push(`${name}: ${corrected}`);
  }
  return [...wrong, ...(await findWrongWords(db))];
}

/** Photos keep the words of a file that is in the trash, was deleted, or belongs to another user and became private. */
async function findPhotosWithoutOwnFile(db: Database, kind: RecordKind, ids: number[]): Promise<number[]> {
  if (kind.name !== "photo") return [];
  const found = await kind.find(db, seesEverything, ids);
  return [...found].flatMap(([id, { record }]) => {
    const { ownerID, file } = record as Photo;
    return file?.ownerID === ownerID ? [] : [id];
  });
}

async function findWrongWords(db: Database): Promise<string[]> {
  const kinds = [...everyKind];
  await catchUp(db, kinds, 30_000);
  const { lacks, extra } = await compareIndex(db, db.engine, kinds);
  const wrong = [
    ...(lacks > 0 ? [`search lacks ${lacks}`] : []),
    ...(extra > 0 ? [`search has ${extra} too many`] : []),
  ];
  for (const kind of kinds) {
    const ids = (await db.all<{ id: number }>(sql`SELECT id FROM ${raw(kind.table)}`)).map(({ id }) => id);
    const texts = await kind.readTexts(db, ids);
    for (const id of await findPhotosWithoutOwnFile(db, kind, ids)) texts.delete(id);
    const stored = await db.all<any>(sql`
      SELECT record_id, title_words, text_words, owner_id, own_words, is_private FROM documents WHERE kind = ${kind.name}`);
    const documents = new Map(stored.map(({ record_id, ...words }) => [record_id as number, words]));
    for (const [id, found] of texts) {
      const { title, text, own, ownerID, isPrivate } = await splitTexts(found);
      const right = {
        title_words: title,
        text_words: text,
        owner_id: ownerID,
        own_words: own,
        is_private: isPrivate ? 1 : 0,
      };
      const document = documents.get(id);
      if (document && !Bun.deepEquals(document, right))
        wrong.push(`words of ${kind.name} ${id}: ${JSON.stringify(document)} instead of ${JSON.stringify(right)}`);
    }
  }
  return wrong;
}
