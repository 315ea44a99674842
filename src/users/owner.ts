import { z } from "zod";
import { sql, type Sql } from "../platform/database/sql.ts";
import { queryInteger } from "../platform/http/validate.ts";

/** The filter of lists whose records have an owner. */
export const ownerQuery = z.object({
  owner: queryInteger(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: "Only records of the user with this id. The list is then read by cursor.", example: 1 }),
});

export type OwnerQuery = z.output<typeof ownerQuery>;

/** The condition of the filter, or none. */
export const isOwnedBy = (owner: number | undefined): Sql[] => (owner === undefined ? [] : [sql`owner_id = ${owner}`]);
