import type { Reader } from "./database.ts";
import { createGenerations, type Generations } from "./generations.ts";
import { type Sql, sql } from "./sql.ts";
import { everyTable } from "./touched-tables.ts";
import type { Follower, Look } from "./watch-writes.ts";

/**
 * A look that also finds how far the log of the primary was written, and the history that this belongs to. The position is null
 * on a server that is no primary.
 */
export type PositionedLook = Look & { position: number | null; timeline: string | null; history: string | null };

/** What never changes of a database, wherever its primary runs. */
type Identity = { database: string; pageBytes: number; segmentBytes: number };

const historyName = "history-of-replicas";

/**
 * The history of a database begins anew when another server becomes its primary, or when it is restored: positions of two
 * histories cannot be compared. A row has the name of the history, and a server that follows another one never gets it.
 */
const selectHistory = sql`SELECT value FROM settings WHERE name = ${historyName}`;

/** For a look (`selectLook`). It is read after the snapshot of the statement was taken: so it includes all that this one sees. */
export const lookedPosition = sql`,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint END AS position,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline,
  (${selectHistory}) AS history`;

export async function readIdentity(all: Reader["all"]): Promise<Identity> {
  const [found] = await all<{ database: string; page_bytes: number; segment_bytes: number }>(sql`
    SELECT system_identifier || '/' || oid AS database,
      current_setting('wal_block_size')::bigint AS page_bytes,
      pg_size_bytes(current_setting('wal_segment_size')) AS segment_bytes
    FROM pg_control_system(), pg_database WHERE datname = current_database()`);
  if (!found) throw new Error("The database has no identity.");
  return { database: found.database, pageBytes: found.page_bytes, segmentBytes: found.segment_bytes };
}

export type WritePositions = Follower<PositionedLook> & {
  /** How far a server must have read the log for what these names were written; null if that is not known. */
  needed(names: Iterable<string>): number | null;
  /** The history of the primary; null if it is not known. */
  history(): string | null;
};

/**
 * At which position of the primary's log each table, and its rows, were last written. `begin` is called when there is a new
 * history, to run the statement that stores its name.
 */
export function watchPositions(identity: Identity, begin: (beginning: Sql) => Promise<unknown>): WritePositions {
  let positions: Generations = createGenerations();
  const own = createGenerations();
  let history: string | null = null;
  let isKnown = false;
  /** The writes of this process that the last look has found. */
  let covered = 0;
  let beginning: Promise<unknown> | null = null;

  return {
    sent() {
      const before = own.current();
      return (found) => {
        isKnown = found !== null && follow(found.look, found.names);
        covered = before;
      };
    },
    written: (names) => own.written(names),
    needed: (names) => (isKnown && own.lastWrite(names) <= covered ? positions.lastWrite(names) : null),
    history: () => history,
  };

  function follow(look: PositionedLook, names: readonly string[] | null): boolean {
    const prefix = `${identity.database}/${look.timeline}/`;
    if (look.position === null || !look.history?.startsWith(prefix)) {
      // What this look has found written is not noted: the next history begins with all of it.
      history = null;
      if (look.position !== null) beginOnce(prefix);
      return false;
    }
    const position = endOf(look.position, identity);
    if (look.history !== history) {
      positions = createGenerations();
      positions.written([everyTable], position);
    } else if (names) positions.written(names, position);
    history = look.history;
    return true;
  }

  /** One at a time: until it is done, each look asks for it. */
  function beginOnce(prefix: string): void {
    beginning ??= begin(beginHistory(prefix))
      .catch(() => {})
      .finally(() => (beginning = null));
  }
}

/** A position just after the header of a page is where the page begins: nothing was written to it yet. */
function endOf(position: number, { pageBytes, segmentBytes }: Identity): number {
  if (position % segmentBytes === 40) return position - 40;
  return position % pageBytes === 24 ? position - 24 : position;
}

/** Of several copies that begin a history, the first one does. */
const beginHistory = (prefix: string): Sql => sql`
  INSERT INTO settings (name, value) VALUES (${historyName}, ${prefix + crypto.randomUUID()})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE NOT starts_with(settings.value, ${prefix})`;

/** Where a server stands that follows the primary. The position is null if it does not follow one. */
export type Standing = { position: number | null; history: string | null };

export const selectStanding = sql`
  SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint END AS position,
    (${selectHistory}) AS history`;

/** The same for the primary, whose position is that of the last thing written. The history is null if nobody has asked for it. */
export async function readPrimaryStanding({ get }: Pick<Reader, "get">): Promise<Standing | null> {
  return get<Standing>(sql`SELECT NULL AS nothing${lookedPosition}`);
}
