import { Problem } from "../errors.ts";

/** How long a caller still waits for a blob store that is busy. All requests of one upload share it. */
export type Patience = { leftMs: number };

/** Shorter than a request may be without progress, so that the client gets a response that says when to try again. */
export const patienceOfUpload = (): Patience => ({ leftMs: 25_000 });
/** Somebody is looking at a page, and waits for its pictures. */
export const patienceOfRead = (): Patience => ({ leftMs: 8_000 });

const longestBackoff = 2_000;
/** What a client is told at most, in seconds. */
const longestAdvice = 600;

/** The blob store asks for fewer requests. */
export const isBusy = ({ status }: { status: number }) => status === 503 || status === 429;

/**
 * How long to wait before the next try: as long as the blob store asks for, and otherwise longer each time. Always with
 * jitter, so that many copies do not come back at the same moment.
 */
export function backoff(tries: number, askedMs: number | null): number {
  const jitter = Math.random() * Math.min(longestBackoff, 100 * 2 ** tries);
  return (askedMs ?? 0) + jitter;
}

/** The Retry-After header, which is a number of seconds or a time. Times are compared by the clock of the blob store. */
export function readRetryAfter(headers: Headers): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  return Number.isNaN(time) ? null : Math.max(time - now, 0);
}

/** The store is still busy after all the patience. `reason` is for the log. */
export function stillBusy(reason: string, askedMs: number | null): Problem {
  const seconds = Math.min(Math.max(Math.ceil((askedMs ?? 5_000) / 1000), 1), longestAdvice);
  const headers = { "Retry-After": String(seconds) };
  const problem = new Problem("busy", "The file storage has too much to do; try again later.", { headers });
  return Object.assign(problem, { cause: new Error(reason) });
}
