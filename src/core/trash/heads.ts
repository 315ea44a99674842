import { missing } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleOrGrantedTo, thisTable } from "../records/visibility.ts";
import { isLive } from "./trash.ts";

/** The fields of a record that are needed to decide who may change it, and what the trash calls it. */
export type Head = { id: number; ownerID: number; name: string };

/**
 * Finds the heads of the live records of a table that a viewer may see. `what` names such a record in errors: `blog post`.
 * `kind` is its kind, and `more` are further columns.
 */
export function headFinder<More = object>(
  table: string,
  nameColumn: string,
  what: string,
  { kind = what, more = sql`` }: { kind?: string; more?: Sql } = {},
) {
  const columns = sql`id, owner_id AS "ownerID", ${raw(nameColumn)} AS name ${more}`;
  return async (db: Reader, viewer: Viewer, id: number, lock: Sql = sql``): Promise<Head & More> => {
    const head = await db.get<Head>(sql`
      SELECT ${columns} FROM ${raw(table)} WHERE id = ${id} AND ${isLive} AND ${isVisibleOrGrantedTo(viewer, thisTable, kind)} ${lock}`);
    if (!head) throw missing(`${what} ${id}`);
    return head as Head & More;
  };
}
