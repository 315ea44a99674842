import type { Reader } from "../../platform/database/database.ts";
import type { Viewer } from "../../platform/http/route.ts";

/** Records of one kind. With `ownerID`, only uses by records of this owner count, and those that belong to no one. */
export type Used = { kind: string; ids: number[]; ownerID?: number };

/** What uses one of these records. `as` says how: a post can have a photo as its cover, or embed it. */
export type Use = { kind: string; id: number | null; name: string; as: string; usedID: number };

/** At most `limit` uses of the records, of those that the viewer may see. */
export type FindUses = (db: Reader, viewer: Viewer, used: Used, limit: number) => Promise<Use[]>;

/** Uses that the viewer may not see are left out after they were read: not all of them are examined. */
export const maxExamined = 1000;
