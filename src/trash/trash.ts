import { z } from "zod";
import type { Queries } from "../platform/database/database.ts";

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
    deletedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: "When it will be gone for good." }),
  })
  .meta({ id: "TrashEntry", description: "One deletion, with all that hung on the record." });

export type Entry = z.output<typeof entrySchema>;
