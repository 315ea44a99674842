import { z } from "zod";
import { forbidden } from "../errors.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Caller } from "../platform/http/route.ts";

export const kinds = ["photo", "post", "comment", "album", "file"] as const;
export type Kind = (typeof kinds)[number];

/** What a room knows of its own records in the trash. `trashID` is the deletion that took them. */
export type Trashable = {
  /** Brings back what the deletion took; throws when that cannot be. */
  restore(tx: Queries, trashID: number): Promise<void>;
  /** Removes it for good, no more than one transaction may take. Answers whether all is gone. */
  purge(tx: Queries, trashID: number): Promise<boolean>;
};

export const entrySchema = z
  .object({
    id: z.int(),
    kind: z.enum(kinds),
    recordID: z.int(),
    name: z.string().meta({ example: "Harbour at dusk", description: "The title, or the beginning of the text." }),
    ownerID: z.int(),
    deletedByID: z.int().meta({ description: "Who deleted it: its owner, the author of the post, or an admin." }),
    deletedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: "When it will be gone for good." }),
  })
  .meta({ id: "TrashEntry", description: "One deletion, with all that hung on the record." });

export type Entry = z.output<typeof entrySchema>;

/** Its owner cannot restore what somebody else has removed. */
export function mayRestore(caller: Caller, entry: Entry): boolean {
  if (entry.deletedByID === caller.id || caller.role === "admin") return true;
  throw forbidden("Only the person who deleted it or an admin can restore it.");
}

/** Only admins destroy records of others, or what somebody else has removed: that may be needed as evidence. */
export function mayDestroy(caller: Caller, entry: Entry): boolean {
  if (isOwnDeletion(caller, entry) || caller.role === "admin") return true;
  throw forbidden("Only an admin, or an owner who deleted it themselves, can delete it permanently.");
}

export function isOwnDeletion(caller: Caller, entry: Entry): boolean {
  return entry.deletedByID === caller.id && entry.ownerID === caller.id;
}
