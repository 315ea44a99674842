import type { Change } from "../../core/activity/feed.ts";
import { findVisible, type Kinds } from "../../core/activity/visible.ts";
import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";

type Described = { event: string; body: string };

/** What is sent of changes: all that admins see, with whether guests may know of it. */
export async function describeChanges(db: Reader, kinds: Kinds, changes: Change[]): Promise<Described[]> {
  const known = await findVisible(db, kinds, null, changes);
  const usernames = await findUsernames(db, changes);
  return changes.map((change) => {
    const { id, action, kind, recordID, name, ownerID, actorID } = change;
    const event = `${kind}.${action}`;
    const actor = actorID === null ? null : { id: actorID, username: usernames.get(actorID) ?? null };
    const createdAt = new Date(change.createdAt).toISOString();
    const isPrivate = !known.has(change);
    const purge = cachedPathsOf(change);
    return {
      event,
      body: JSON.stringify({ event, id, action, kind, recordID, name, ownerID, isPrivate, actor, createdAt, purge }),
    };
  });
}

/**
 * The paths of the record that shared caches keep without asking, whatever follows the "?": pictures of photos. They ask for
 * everything else each time, and built files never change.
 */
const cachedPathsOf = ({ kind, recordID }: Change): string[] =>
  kind === "photo" ? [`/api/v1/photos/${recordID}/image`] : [];

async function findUsernames(db: Reader, changes: Change[]): Promise<Map<number, string>> {
  const ids = [...new Set(changes.flatMap(({ actorID }) => actorID ?? []))];
  const rows = await inChunks(ids, (some) =>
    db.all<{ id: number; username: string }>(sql`SELECT id, username FROM users WHERE id IN (${list(some)})`),
  );
  return new Map(rows.map(({ id, username }) => [id, username]));
}
