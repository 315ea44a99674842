import type { Queries } from "../../platform/database/database.ts";
import { joined, sql, type Sql } from "../../platform/database/sql.ts";
import { shorten } from "../../platform/text.ts";
import type { Action } from "./activity.ts";

/** What was changed. */
type Subject = {
  kind: string;
  id: number;
  /** Null if it belongs to no user: then only admins see the activity. */
  ownerID: number | null;
  /** A title, or the beginning of a text. Never a secret. */
  name: string;
  /** Whether guests could see a record that can no longer be found. */
  wasPublic?: boolean;
  /** Whether a record that no longer exists was a page. */
  wasPage?: boolean;
  /** Only recorded if this condition holds at this point of the transaction. */
  condition?: Sql;
};

/**
 * Records a change, in the transaction of the change itself. An operation that changes very many records is one change.
 * `actorID` is null for the program itself: its jobs and its command line.
 */
export function recordActivity(tx: Queries, actorID: number | null, action: Action, subject: Subject): void {
  const { kind, id, ownerID, name, wasPublic = false, wasPage = false, condition = sql`1 = 1` } = subject;
  tx.later(sql`
    INSERT INTO activity (${columns})
    SELECT CAST(${Date.now()} AS BIGINT), CAST(${actorID} AS BIGINT), CAST(${ownerID} AS BIGINT), CAST(${id} AS BIGINT),
      CAST(${wasPublic ? 1 : 0} AS BIGINT), CAST(${wasPage ? 1 : 0} AS BIGINT), CAST(${kind} AS TEXT),
      CAST(${action} AS TEXT), CAST(${shorten(name)} AS TEXT)
    WHERE ${condition}`);
}

const columns = sql`created_at, actor_id, owner_id, record_id, was_public, is_page, kind, action, name`;

/** The same change of many records. */
export function recordActivities(
  tx: Queries,
  actorID: number | null,
  action: Action,
  subjects: Omit<Subject, "condition">[],
): void {
  const time = Date.now();
  const rows = subjects.map(
    ({ kind, id, ownerID, name, wasPublic = false, wasPage = false }) =>
      sql`(${time}, ${actorID}, ${ownerID}, ${id}, ${wasPublic ? 1 : 0}, ${wasPage ? 1 : 0}, ${kind}, ${action}, ${shorten(name)})`,
  );
  if (rows.length > 0) tx.later(sql`INSERT INTO activity (${columns}) VALUES ${joined(rows)}`);
}
