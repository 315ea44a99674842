import { missing } from "../../../platform/errors.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { list, raw, sql } from "../../../platform/database/sql.ts";
import type { Viewer } from "../../../platform/http/route.ts";
import type { OpenedLink } from "../../../features/shares/open-link.ts";
import type { Visit } from "../page.ts";

/** A page of a link that was opened. The viewer is a guest with its grant, even for signed-in users: all see the same. */
export type LinkVisit = { visit: Visit; link: OpenedLink; viewer: NonNullable<Viewer> };

const tables = { photo: "photos", album: "albums" } as const;

/** Throws if the record is not part of what the link shares, even if it is public: its page is elsewhere. */
export async function checkReached(
  db: Reader,
  opened: LinkVisit,
  kind: keyof typeof tables,
  id: number,
): Promise<void> {
  if (!(await filterReached(db, opened, kind, [id])).has(id)) throw missing("such page");
}

/** The records that are part of what the link shares. */
export async function filterReached(
  db: Reader,
  { viewer }: LinkVisit,
  kind: keyof typeof tables,
  ids: number[],
): Promise<Set<number>> {
  const reach = viewer.grant?.reach[kind];
  if (!reach || ids.length === 0) return new Set();
  const rows = await db.all<{ id: number }>(
    sql`SELECT id FROM ${raw(tables[kind])} WHERE id IN (${list(ids)}) AND ${reach.includes(raw(`${tables[kind]}.id`))}`,
  );
  return new Set(rows.map(({ id }) => id));
}
