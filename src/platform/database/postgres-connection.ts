import { SQL } from "bun";
import { splitHosts } from "./hosts.ts";
import { NoPrimary } from "./postgres-errors.ts";
import type { Rows } from "./postgres-statements.ts";
import type { Value } from "./sql.ts";

/** How long a server that was the primary may take before the others are asked, too. */
const askOthersAfterMs = 500;

/** Connections that each copy leaves to others on a server that is nearly full. */
const leftToOthers = 5;

const standby =
  "this server is a standby, which takes no writes; name the primary, or all servers as host1:5432,host2:5432";
const readOnly = "this server takes no writes (default_transaction_read_only)";
const noneOfThem = "none of these servers is a primary that takes writes";

/** One connection, which is never replaced by another one while it is used. */
export type Connection = {
  /** The process of the server that serves it. */
  pid: number;
  /** When the server was started: tells one server from another. */
  server: string;
  /** The server has so few connections left that a copy that has one already should not take another. */
  isServerFull: boolean;
  openedAt: number;
  /** Sends a statement. Several can be on their way. */
  send(text: string, values?: readonly Value[]): Promise<Rows>;
  /** Since when the server owes a response, or null. */
  silentSince(): number | null;
  isClosed(): boolean;
  /** Closes it at once: the statements on their way fail. */
  close(): void;
};

type Role = {
  /** Statements are parsed once per connection. */
  isPrepared?: boolean;
  /** Refuses a primary that only takes reads, too. */
  isForWrites?: boolean;
};

export type Open = (role: Role, closed: (connection: Connection) => void) => Promise<Connection>;

/**
 * Opens connections to the primary among the hosts of the URL. The host that was the primary is asked first, and the
 * others if it refuses or is slow.
 */
export function createOpen(url: string): Open {
  const hosts = splitHosts(url) ?? [url];
  let primary = 0;

  return async function open(role, closed) {
    const given = Promise.withResolvers<void>();
    let isFound = false;
    const attempts = hosts.map(async (host, index) => {
      if (index !== primary) await Promise.race([given.promise, Bun.sleep(askOthersAfterMs)]);
      if (isFound) throw new Error("The primary was found.");
      try {
        const connection = await openOne(host, role, closed);
        // A second one would be a primary that a switch has just ended.
        if (isFound) {
          connection.close();
          throw new Error("The primary was found.");
        }
        isFound = true;
        primary = index;
        return connection;
      } catch (error) {
        if (index === primary) given.resolve();
        throw error;
      }
    });
    try {
      return await Promise.any(attempts);
    } catch (error) {
      const { errors } = error as AggregateError;
      const isStandby = errors.some((one) => one instanceof NoPrimary);
      throw isStandby && hosts.length > 1 ? new NoPrimary(noneOfThem) : errors[primary];
    }
  };
}

const selectServer = `
  SELECT pg_backend_pid() AS pid, pg_postmaster_start_time()::text AS server, pg_is_in_recovery() AS standby,
    current_setting('transaction_read_only') = 'on' AS readonly,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT sum(numbackends) FROM pg_stat_database)::int AS free`;

async function openOne(url: string, role: Role, closed: (connection: Connection) => void): Promise<Connection> {
  const state = { isClosed: false, inFlight: 0, heardAt: 0 };
  // Poolers reject other startup parameters, so there are none.
  const client = new SQL({
    url,
    max: 1,
    prepare: role.isPrepared ?? true,
    bigint: true,
    connectionTimeout: 4,
    idleTimeout: 0,
    maxLifetime: 0,
    connection: { application_name: "vitrine" },
    onclose: () => lose(),
  });
  const lose = () => {
    if (state.isClosed) return;
    state.isClosed = true;
    if (connection) closed(connection);
    void client.close({ timeout: 0 }).catch(() => {});
  };
  let connection: Connection | null = null;
  try {
    const own = await client.reserve();
    const [row] = await own.unsafe(selectServer);
    if (row.standby) throw new NoPrimary(standby);
    if (role.isForWrites && row.readonly) throw new NoPrimary(readOnly);
    const heard = () => {
      state.inFlight--;
      state.heardAt = performance.now();
    };
    connection = {
      pid: row.pid,
      server: row.server,
      isServerFull: row.free < leftToOthers,
      openedAt: performance.now(),
      send(text, values) {
        if (state.inFlight++ === 0) state.heardAt = performance.now();
        const sent = (values ? own.unsafe(text, [...values]) : own.unsafe(text)) as Promise<Rows>;
        return sent.finally(heard);
      },
      silentSince: () => (state.inFlight > 0 ? state.heardAt : null),
      isClosed: () => state.isClosed,
      close: lose,
    };
    return connection;
  } catch (error) {
    lose();
    throw error;
  }
}
