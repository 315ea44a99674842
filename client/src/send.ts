import { readError, VitrineError } from "./errors.ts";
import type { FetchWithProgress } from "./fetch-with-progress.ts";
import { delayAfter, isTemporary, wait } from "./retry.ts";
import type { CallOptions, Fetch, Retry } from "./types.ts";

/** How requests reach the server. */
export type Connection = {
  baseURL: string;
  fetch: Fetch;
  /** For large bodies; null where requests do not report progress. */
  fetchWithProgress: FetchWithProgress | null;
  retry: Retry;
  /** The headers of every request. */
  headers(): Record<string, string>;
};

export type Sent = Pick<CallOptions, "signal" | "retry" | "timeout"> & {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: RequestInit["body"];
  /** Whether sending it twice has the same effect as once. */
  isRepeatable: boolean;
};

/** Sends a request, again if that is safe and may help. Throws a VitrineError unless the response is a success. */
export async function send<Result>(
  connection: Connection,
  request: Sent,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  const retry = { ...connection.retry, ...request.retry };
  const { attempts = 5 } = retry;
  let isUnclear = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(connection, request, read);
    } catch (error) {
      if (!(error instanceof VitrineError)) throw error;
      error.attempts = attempt;
      const delay = delayAfter(error, attempt, retry);
      if (attempt >= attempts || delay === null || !mayRepeat(request, error, isUnclear)) throw error;
      isUnclear ||= error.status === 0;
      await wait(delay, request.signal);
    }
  }
}

/** A request that was refused for the rate limit has had no effect, so any can be repeated. */
function mayRepeat({ isRepeatable }: Sent, error: VitrineError, isUnclear: boolean): boolean {
  if (error.status === 429) return true;
  // The first attempt, whose connection was lost, is still running.
  const isRunning = isUnclear && error.status === 409 && error.field === "Idempotency-Key";
  return isRepeatable && (isTemporary(error) || isRunning);
}

export async function sendOnce<Result>(
  { baseURL, fetch, headers }: Connection,
  { method, path, body = null, signal, timeout, headers: more }: Sent,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const signals = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter((one) => !!one);
  try {
    const response = await fetch(baseURL + path, {
      method,
      body,
      headers: { ...headers(), ...more },
      signal: signals.length > 0 ? AbortSignal.any(signals) : null,
    });
    if (!response.ok) throw await readError(response);
    return await read(response);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof VitrineError ? error : toFailure(error);
  }
}

function toFailure(cause: unknown): VitrineError {
  if (cause instanceof Error && cause.name === "TimeoutError") {
    return new VitrineError("The server did not respond in time.", { code: "timeout", cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new VitrineError(`The request failed without a response: ${reason}`, { code: "network", cause });
}
