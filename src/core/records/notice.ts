import { z } from "zod";
import type { Database, Reader } from "../../platform/database/database.ts";
import type { DiskState } from "../../platform/disk.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";

/** A field of what may need the caller's attention: for admins, on the whole site; for others, what is theirs. */
export type Notice = {
  schema: z.ZodType;
  read(site: NoticeSource, caller: Caller): Promise<unknown>;
};

export type NoticeSource = {
  db: Reader & Pick<Database, "largeLogBytes">;
  disk: DiskState;
  /** The limit of what one user may store; null means unlimited. */
  quotaBytes: number | null;
  /** What all users together store. */
  countBytes(): Promise<number>;
};

/** Counts end here, so that they cost little. */
export const maxCounted = 10_000;

/** The number of rows of a SELECT, at most `maxCounted`. */
export function countNotice(description: string, selectRows: (caller: Caller) => Sql): Notice {
  return {
    schema: z.int().meta({ description: `${description} At most ${maxCounted} are counted.`, example: 2 }),
    async read({ db }, caller) {
      const row = await db.get<{ count: number }>(sql`
        SELECT count(*) AS count FROM (SELECT 1 FROM (${selectRows(caller)}) AS chosen LIMIT ${maxCounted}) AS counted`);
      return row?.count ?? 0;
    },
  };
}

/** The condition of rows that belong to the caller; for admins, of all rows. `ownerID` is the column of their owner. */
export const isTheirs = ({ id, role }: Caller, ownerID: Sql): Sql =>
  role === "admin" ? sql`1 = 1` : sql`${ownerID} = ${id}`;
