import type { Server } from "bun";
import type { Operation } from "../metrics/metrics.ts";

/** One request on its way through the server. */
export type Exchange = {
  readonly request: Request;
  readonly server: Server<unknown> | null;
  readonly id: string;
  readonly started: number;
  readonly method: string;
  /** As sent, not decoded, without a slash at its end. */
  readonly path: string;
  /** From the question mark on, or "". */
  readonly search: string;
  readonly address: string;
  /** The public address of the server, without a slash at its end; "" where it is not known. */
  readonly baseURL: string;
  /** What the request is for; null until its route is found, and where there is none. */
  operation: Operation | null;
  /** When something last moved: a request that stands still is abandoned. */
  lastProgress: number;
  abandoned: boolean;
  /** Ends the reading of the body; null while none is read. */
  stopReceiving: (() => void) | null;
  /** Whether the runtime's idle timer was switched off for the body. */
  isIdleTimerOff: boolean;
  callerID: number | undefined;
  /** Whether the answer may depend on who asks: no cache may keep it then. */
  isPrivate: boolean;
};

/** Tells that the request does not stand still. */
export function moveOn(exchange: Exchange): void {
  exchange.lastProgress = performance.now();
}

const run = crypto.randomUUID().slice(0, 8);
let counter = 0;

/** A proxy's own request id is kept, so that its log and ours can be laid side by side. */
export function requestID(request: Request): string {
  const given = request.headers.get("x-request-id");
  if (given && /^[\w.-]{1,64}$/.test(given)) return given;
  return `${run}-${(++counter).toString(36)}`;
}

let lastHost: string | null = null;

/** Nearly every request names the same host: it is looked at once. */
function isHost(host: string | null): boolean {
  if (host === null) return false;
  if (host === lastHost) return true;
  if (!hostPattern.test(host)) return false;
  lastHost = host;
  return true;
}

const hostPattern = /^([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/;

/**
 * Path and query of the request, or null when its Host header is missing, doubled or malformed. The runtime builds
 * `request.url` from that header, so it is looked at before anything is cut out of the URL.
 */
export function readTarget(request: Request): { path: string; search: string } | null {
  const host = request.headers.get("host");
  const { url } = request;
  if (!isHost(host) || url.charCodeAt(0) === 47) return null;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return { path: "/", search: "" };
  const hash = url.indexOf("#", start);
  const stop = hash < 0 ? url.length : hash;
  const question = url.indexOf("?", start);
  const end = question < 0 || question > stop ? stop : question;
  let path = url.slice(start, end);
  if (path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
  return { path, search: end < stop ? url.slice(end, stop) : "" };
}
