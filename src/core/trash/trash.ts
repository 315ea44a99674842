import { z } from "zod";
import { forbidden } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { isPublic } from "../records/visibility.ts";
import type { Caller } from "../../platform/http/route.ts";

/** The condition of rows that are not in the trash. */
export const isLive = sql`trash_id IS NULL`;

/** The condition of rows that are in the list of everyone. */
export const isListed = sql`${isLive} AND ${isPublic}`;

/** `kinds` are the names of the kinds that can be in the trash. */
export const entrySchemaOf = (kinds: string[]) =>
  z
    .object({
      id: z.int(),
      kind: z.enum(kinds),
      recordID: z.int(),
      name: z.string().meta({ example: "Harbour at dusk", description: "The title, or the beginning of the text." }),
      ownerID: z.int(),
      deletedByID: z.int().meta({ description: "Who deleted it: its owner, the author of the post, or an admin." }),
      deletedAt: z.iso.datetime(),
      expiresAt: z.iso.datetime().meta({ description: "When it will be permanently deleted." }),
      isPage: z.boolean().meta({ description: "Whether it is a page: a post outside the blog." }),
      image: z.string().nullable().meta({
        description: "The address of a picture of a photo or file, for its owner; null if there is none.",
        example: "/api/v1/trash/1/image",
      }),
    })
    .meta({ id: "TrashEntry", description: "One deletion, with everything that was deleted along with the record." });

export type ListedEntry = z.output<ReturnType<typeof entrySchemaOf>>;
export type Entry = Omit<ListedEntry, "isPage" | "image">;

/** Moves records to the trash, restores them, and deletes them permanently. */
export type Trash = {
  /** The record and everything that belongs to it, as one entry. */
  put(tx: Queries, kind: string, record: Owned, deletion: Deletion): Promise<void>;
  /** Many records of one kind, as an entry each. Those that are in the trash already are passed over; returns how many are not. */
  putAll(tx: Queries, kind: string, records: (Owned & { name: string })[], deletedByID: number): Promise<number>;
  restore(tx: Queries, entry: TrashedRecord, restoredByID: number): Promise<void>;
  /** Deletes as much as one transaction should; returns whether that was all. `deletedByID` is null for the program. */
  purge(tx: Queries, entry: TrashedRecord, deletedByID: number | null): Promise<boolean>;
};

type Deletion = {
  /** What the list of the trash shows. */
  name: string;
  deletedByID: number;
  /** Records of another kind that are a part of the same entry: see `along` of the kind. */
  along?: (Owned & { kind: string; name: string })[];
};

export type TrashedRecord = Pick<Entry, "id" | "kind" | "recordID" | "ownerID" | "name">;

/** What a module does when a record of another one is permanently deleted, by the kind of the record. */
export type TrashReactions = {
  /**
   * Before the record is permanently deleted: deletes rows that would be deleted with it, as many as one transaction should.
   * Returns whether that was all.
   */
  purged?: Record<string, (tx: Queries, id: number) => Promise<boolean>>;
};

type Owned = { id: number; ownerID: number };

/** For everyone but its owner, the person who deleted it and admins, a deleted record does not exist. */
export const mayKnow = (caller: Caller, { ownerID, deletedByID }: Entry): boolean =>
  caller.role === "admin" || caller.id === ownerID || caller.id === deletedByID;

/** The owner cannot restore what another user has removed. */
export function mayRestore(caller: Caller, entry: Entry): boolean {
  if (entry.deletedByID === caller.id || caller.role === "admin") return true;
  throw forbidden("Only the person who deleted it or an admin can restore it.");
}

/** Only admins permanently delete records of others, or records that another user has removed: they may be evidence. */
export function mayDestroy(caller: Caller, entry: Entry): boolean {
  if (isOwnDeletion(caller, entry) || caller.role === "admin") return true;
  throw forbidden("Only an admin, or an owner who deleted it themselves, can delete it permanently.");
}

export function isOwnDeletion(caller: Caller, entry: Entry): boolean {
  return entry.deletedByID === caller.id && entry.ownerID === caller.id;
}
