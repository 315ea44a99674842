import type { z } from "zod";
import type { Queries, Reader } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Derived, Table } from "../../platform/database/tables.ts";
import type { Reach, Role, Viewer } from "../../platform/http/route.ts";
import { type Restorable, restorableAs, type RestorableKind } from "./restorable.ts";
import { seesEverything, type Visibility } from "./visibility.ts";
import type { Indexed, Texts } from "../../platform/search/documents.ts";

/** A kind of record that can be moved to the trash, found by search and counted in the storage report. */
export type RecordKind = {
  /** How the API calls it: `photo`. */
  readonly name: string;
  readonly table: string;
  /** How the API returns it. */
  readonly schema: z.ZodType;
  readonly trash: Trashable;
  /** How many of its records are indexed in one step. */
  readonly indexedAtOnce: number;
  /** The live records of these ids as the viewer sees them. */
  find(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Found>>;
  /** Whether records have a picture that lists can show: `image` of what is found. */
  readonly isPictured: boolean;
  /** Those of these ids, in the trash or not, whose records are pages. Only posts have pages. */
  findPages?(db: Reader, ids: number[]): Promise<Set<number>>;
  /** The texts by which the live records of these ids are found. */
  readTexts(db: Reader, ids: number[]): Promise<Map<number, Indexed>>;
  /** The beginning of a text without its markup, for excerpts. Without it, texts are shown as they are. */
  withoutMarkup?(text: string): string;
  /** How its records can be shared by link, by the names that links use for them. */
  readonly shared?: Record<string, Shared>;
  /** Its field in the storage report, and a SELECT of `id` and `owner_id` with a row for each live record. */
  readonly counted?: { field: string; live: Sql };
  /** How one of its records comes back from a backup. */
  readonly restorable: RestorableKind | null;
};

type Found = Texts & { record: unknown; image: string | null };

/** The same as `find`, a few at a time, because records can be large. */
export async function* findInSlices(
  db: Reader,
  kind: RecordKind,
  viewer: Viewer,
  ids: number[],
): AsyncGenerator<[number, Found]> {
  for (let start = 0; start < ids.length; start += kind.indexedAtOnce) {
    yield* await kind.find(db, viewer, ids.slice(start, start + kind.indexedAtOnce));
  }
}

export type Shared = {
  /** A condition on its rows. */
  where?: Sql;
  /** What a link to the record reaches, by kind. */
  reach(id: number, options: { allowDownload: boolean }): Record<string, Reach>;
  /** Without downloads, a link shows nothing. */
  isForDownload?: true;
  /** How pictures that guests upload are added to it. */
  uploads?: {
    /** Throws if nothing can be added to this record. */
    check?(db: Reader, owner: Owner, id: number): Promise<void>;
    /** The path of the directory for their files. Without it, it can be any. */
    findPath?(db: Reader, owner: Owner, id: number): Promise<string>;
    /** Adds a picture whose file is stored in the same transaction. Returns the id of its photo. */
    add?(tx: Queries, owner: Owner, id: number, picture: Picture): Promise<number>;
  };
};

type Owner = { id: number; role: Role };
type Picture = { fileID: number; name: string; width: number; height: number; visibility: Visibility };

/** `trashID` is the entry in the trash: the rows that were deleted with it have it as their `trash_id`. */
export type Trashable = {
  /** Throws before it changes anything if the records cannot be restored. Returns them. */
  restore(tx: Queries, trashID: number): Promise<Restored[]>;
  /** Deletes rows, as many as one transaction should. Returns whether that was all. */
  purge(tx: Queries, trashID: number): Promise<boolean>;
  /** The records that have this `trash_id`. Only kinds that go along with another one need it. */
  list?(tx: Queries, trashID: number): Promise<{ id: number; ownerID: number; name: string }[]>;
  /** The kind of which records can go to the trash along with one of this kind, and come back with it. */
  readonly along?: string;
  /** The condition of rows that hold nothing of others: only these are deleted when their owner leaves with everything. */
  readonly holdsNothing?: Sql;
  /** The hashes of the pictures that these records show, in the trash or not, for their owners. */
  pictures?(db: Reader, ids: number[]): Promise<Map<number, string>>;
  /** The total of a list, which follows from who sees its records. */
  readonly total?: Pick<Derived, "from" | "derive"> & { columns: string[]; maintained: Maintained };
};

/** `is_private` is known of the records of a list, and `is_page` of posts. */
export type Restored = { id: number; is_private?: number; is_page?: number };

type Owned = { id: number; ownerID: number; visibility?: Visibility };

type Declaration<Record extends Owned> = Pick<
  RecordKind,
  "name" | "schema" | "trash" | "shared" | "withoutMarkup" | "findPages"
> & {
  table: Table;
  /** Its field in the storage report. Without `live`, every record counts that is not in the trash. */
  counted?: { field: string; live?: Sql };
  /** What is special about a record that comes back from a backup. */
  restorable?: Restorable;
  indexedAtOnce?: number;
  find(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Record>>;
  /** What of a record is searched, and shown in a result. */
  texts(record: Record): Texts;
  /** The address of a small picture, for lists. */
  image?(record: Record): string | null;
  /** Owners see more text than others do. */
  hasOwnText?: true;
  /** Whether only its owner and admins can find the record. Without it, its `visibility` decides. */
  isPrivate?(record: Record): boolean;
};

export function recordKind<Record extends Owned>(declaration: Declaration<Record>): RecordKind {
  const { find, texts, image, hasOwnText, isPrivate = hasPrivateVisibility, indexedAtOnce = 50, ...more } = declaration;
  const { table, restorable, counted, ...kind } = more;
  const live = sql`SELECT id, owner_id FROM ${raw(table.name)} WHERE trash_id IS NULL`;

  async function findAsOwners(db: Reader, records: Record[]): Promise<Map<number, Record>> {
    const found = await Promise.all(
      [...Map.groupBy(records, ({ ownerID }) => ownerID)].map(([id, own]) =>
        find(
          db,
          { id, role: "reader" },
          own.map((record) => record.id),
        ),
      ),
    );
    return new Map(found.flatMap((some) => [...some]));
  }

  return {
    ...kind,
    table: table.name,
    ...(counted && { counted: { live, ...counted } }),
    restorable: restorableAs(kind.name, table, restorable),
    indexedAtOnce,
    isPictured: image !== undefined,
    async find(db, viewer, ids) {
      const records = await find(db, viewer, ids);
      return new Map(
        [...records].map(([id, record]) => [id, { ...texts(record), record, image: image?.(record) ?? null }]),
      );
    },
    async readTexts(db, ids) {
      const records = await find(db, seesEverything, ids);
      const asOwners = hasOwnText ? await findAsOwners(db, [...records.values()]) : records;
      return new Map(
        [...records].map(([id, record]) => {
          const ownText = texts(asOwners.get(id) ?? record).text;
          return [id, { ...texts(record), ownText, ownerID: record.ownerID, isPrivate: isPrivate(record) }];
        }),
      );
    },
  };
}

const hasPrivateVisibility = ({ visibility }: Owned): boolean => visibility === "private";
