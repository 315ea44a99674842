/** SQLSTATE, where the server itself complained. */
function stateOf(error: unknown): string | null {
  const { code, errno } = error as { code?: string; errno?: string };
  return code === "ERR_POSTGRES_SERVER_ERROR" ? (errno ?? "") : null;
}

/** A statement, or the wait for a lock, took longer than it may. */
export const isTimeout = (error: unknown) => ["57014", "55P03"].includes(stateOf(error) ?? "");

/** A prepared statement is missing or taken: a pooler has given the connection to the server to somebody else in between. */
export const isSharedConnection = (error: unknown) => ["42P05", "26000"].includes(stateOf(error) ?? "");

/** Another transaction was in the way: serialization failure, deadlock, or a key that it took first. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01", "23505"].includes(stateOf(error) ?? "");
}

/** The connection is gone or could not be made: the server stopped, refused, or does not answer. */
export function isLostConnection(error: unknown): boolean {
  const state = stateOf(error);
  if (state !== null) return /^(08|57P0[123]|53300)/.test(state);
  const { code = "" } = error as { code?: string };
  return code.startsWith("ERR_POSTGRES_") || /^E[A-Z]+$/.test(code);
}
