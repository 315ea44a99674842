import { busy, Problem } from "../errors.ts";
import { troubled } from "../disk-errors.ts";
import { DatabaseError } from "./database.ts";
import { placeOf, splitHosts } from "./hosts.ts";

/** None of the servers takes writes. A switch to another one may be going on. */
export class NoPrimary extends Error {
  readonly code = "ERR_POSTGRES_NO_PRIMARY";
}

/** The SQLSTATE, if the server reported the error. */
function stateOf(error: unknown): string | null {
  const { code, errno } = error as { code?: string; errno?: string };
  return code === "ERR_POSTGRES_SERVER_ERROR" ? (errno ?? "") : null;
}

/** A statement, or the wait for a lock, exceeded its timeout. */
export const isTimeout = (error: unknown) => ["57014", "55P03"].includes(stateOf(error) ?? "");

/**
 * A prepared statement is missing or already exists: a pooler has given the server connection to another client in
 * between.
 */
export const isSharedConnection = (error: unknown) => ["42P05", "26000"].includes(stateOf(error) ?? "");

/** A conflict with another transaction: serialization failure, deadlock, or a duplicate key. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01", "23505"].includes(stateOf(error) ?? "");
}

/** An earlier statement of the transaction has failed. */
export const isAborted = (error: unknown) => stateOf(error) === "25P02";

/** The server is a standby by now, or was made read-only: nothing was written. */
export const isRefusedWrite = (error: unknown) => stateOf(error) === "25006";

export const isReadOnly = (error: unknown) => isRefusedWrite(error) || error instanceof NoPrimary;

/** The connection was lost or could not be opened: the server stopped, refused it, or does not respond. */
export function isLostConnection(error: unknown): boolean {
  const state = stateOf(error);
  if (state !== null) return /^(08|57P0[1235]|53300)/.test(state);
  const { code = "" } = error as { code?: string };
  return code.startsWith("ERR_POSTGRES_") || /^E[A-Z]+$/.test(code);
}

/** All connections of the server are in use, or it just starts or stops. */
export const isRefusedForNow = (error: unknown) => /^(53300|57P03)$/.test(stateOf(error) ?? "");

export const poolerInUse =
  "DATABASE_URL points to a connection pooler that does not support prepared statements: use PgBouncer 1.21 or later with max_prepared_statements, or pool_mode = session.";

/** Says where the database was expected, but not with which password. */
export function unusable(url: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const places = (splitHosts(url) ?? [url]).map((one) => {
    const { host, port } = placeOf(one);
    return `host ${host}, port ${port}`;
  });
  const reason = `DATABASE_URL cannot be used (${places.join("; ")}): ${(error as Error).message}`;
  return new DatabaseError(isSharedConnection(error) ? poolerInUse : reason);
}

export const unreachable = () => new Problem("unavailable", "The database does not respond; try again in a moment.");

export const crowded = () =>
  busy("The database is busy because too many requests are changing the same records; try again.");

export const readOnly = (cause: unknown) =>
  Object.assign(new Problem("unavailable", "The database is read-only, so nothing was stored; tell the operator."), {
    cause,
  });

/** What a full disk of the database server, no memory there, or a failing disk mean. */
const serverTroubles: Record<string, () => Problem> = {
  "53100": () => troubled("full"),
  "53200": () => busy("The database has no memory left for this; try again in a moment."),
  "58030": () => new Problem("unavailable", "The database server's disk reports errors; tell the operator."),
};

/** The problem that an error of the server means, with its reason for the log, or the error itself. */
export function explain(error: unknown): unknown {
  const problem = serverTroubles[stateOf(error) ?? ""]?.();
  return problem ? Object.assign(problem, { cause: error }) : error;
}
