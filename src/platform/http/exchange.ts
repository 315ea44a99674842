import type { Server } from "bun";
import type { BlockList } from "node:net";
import type { Operation } from "../metrics/metrics.ts";
import { createRemembered } from "../remembered.ts";
import { clientAddress, isTrustedProxy } from "./address.ts";

/** What the processing of requests needs of the server. Requests of this program to itself have no `url`. */
export type Connection = Pick<Server<unknown>, "requestIP" | "timeout"> & { readonly url?: URL };

/** One request and its state, from its arrival until its response is sent. */
export type Exchange = {
  readonly request: Request;
  readonly server: Connection | null;
  readonly id: string;
  readonly started: number;
  readonly method: string;
  /** That of the Host header; the address on which the server listens if there is none, as in HTTP/1.0. */
  readonly host: string;
  /** As sent, not decoded, without a trailing slash. In the API, also without repeated slashes. */
  readonly path: string;
  /** From the question mark on, or "". */
  readonly search: string;
  /** The path and the query together. */
  readonly target: string;
  /** The token by which the path of the request asks for a grant; null if it does not. */
  readonly grantToken: string | null;
  readonly address: string;
  /** The public URL of the server, without a trailing slash; "" if unknown. */
  readonly baseURL: string;
  /** Whether the client uses HTTPS, as far as this is known. */
  readonly isSecure: boolean;
  /** The operation of the request; null until its route is found, and if there is none. */
  operation: Operation | null;
  /** By which its response is kept in memory; null if it is not public. */
  key: string | null;
  /** When there was progress last: a request without progress is abandoned. */
  lastProgress: number;
  abandoned: boolean;
  /** Stops reading the body; null while no body is being read. */
  stopReceiving: (() => void) | null;
  /** Whether the runtime's idle timer was disabled for the body. */
  isIdleTimerOff: boolean;
  callerID: number | undefined;
};

type Deps = {
  trustedProxies: BlockList | null;
  baseURL: string;
  /** The token in a path that asks for a grant, and the path behind it; null for other paths. */
  grants: { readPath(path: string): { token: string; path: string } | null };
  isOfAPI: (path: string) => boolean;
};

/** What the URL and the Host header say. */
type Target = { host: string; path: string; search: string; target: string; grantToken: string | null };

const noTarget: Target = { host: "", path: "", search: "", target: "", grantToken: null };
const maxTargets = 2000;

/** The step `address`: from where a request comes, and what it asks for. Its path is "" if the Host header is malformed. */
export function createExchanges({ trustedProxies, baseURL, grants, isOfAPI }: Deps) {
  const isHTTPS = baseURL.startsWith("https:");
  const targets = createRemembered<Target>(maxTargets);
  return (request: Request, server: Connection): Exchange => {
    const peer = server.requestIP(request)?.address ?? "";
    const forwardedFor = trustedProxies && request.headers.get("x-forwarded-for");
    const given = request.headers.get("host");
    const host = given ?? addressOf(server);
    const url = given === null ? wholeURL(request, host) : request.url;
    const { path, search, target, grantToken } = targetOf(url, host);
    const started = performance.now();
    return {
      request,
      server,
      id: requestID(request),
      started,
      method: methodOf(request),
      host,
      path,
      search,
      target,
      grantToken,
      address: clientAddress(peer, forwardedFor, trustedProxies),
      baseURL,
      isSecure: isHTTPS || isForwardedHTTPS(request, peer),
      operation: null,
      key: null,
      lastProgress: started,
      abandoned: false,
      stopReceiving: null,
      isIdleTimerOff: false,
      callerID: undefined,
    };
  };

  /** Most requests are for the same few URLs, so what they say is remembered. */
  function targetOf(url: string, host: string): Target {
    const known = targets.get(url);
    if (known && known.host === host) return known;
    const read = readTarget(url, host);
    if (!read) return noTarget;
    const granted = grants.readPath(read.path);
    const path = withSingleSlashes(granted?.path ?? read.path);
    const { search } = read;
    const target = { host, path, search, target: path + search, grantToken: granted?.token ?? null };
    targets.set(url, target);
    return target;
  }

  /** A client may be given an address with a slash at its end. Elsewhere, a path may be an address of an earlier site. */
  function withSingleSlashes(path: string): string {
    // The last slash has been removed: one that is still there was not alone.
    if (!path.includes("//") && !path.endsWith("/")) return path;
    const single = path.replaceAll(/\/+(?=\/|$)/g, "");
    return isOfAPI(single) ? single : path;
  }

  function isForwardedHTTPS(request: Request, peer: string): boolean {
    return isTrustedProxy(peer, trustedProxies) && request.headers.get("x-forwarded-proto") === "https";
  }
}

/** The origin under which the client knows this server: the configured one, or else that of the request; "" if it has none. */
export function originOf({ baseURL, isSecure, host }: Exchange): string {
  const url = baseURL === "" ? `${isSecure ? "https" : "http"}://${host}` : baseURL;
  const known = origins.get(url);
  if (known !== undefined) return known;
  const origin = URL.parse(url)?.origin ?? "";
  origins.set(url, origin);
  return origin;
}

const origins = createRemembered<string>(100);

/** Records that the request is making progress. */
export function noteProgress(exchange: Exchange): void {
  exchange.lastProgress = performance.now();
}

/**
 * HEAD is GET without the body. A client that cannot send PATCH or DELETE sends POST with a header that names the
 * method.
 */
function methodOf({ method, headers }: Request): string {
  if (method === "HEAD") return "GET";
  const meant = method === "POST" ? headers.get("x-http-method-override") : null;
  return meant === "PATCH" || meant === "DELETE" ? meant : method;
}

const run = crypto.randomUUID().slice(0, 8);
let counter = 0;

/** The request id of a proxy is kept, so that its log and ours can be compared. */
export function requestID(request: Request): string {
  const given = request.headers.get("x-request-id");
  if (given && /^[\w.-]{1,64}$/.test(given)) return given;
  return `${run}-${(++counter).toString(36)}`;
}

/** Without a Host header, the URL of a request is only a path, and as it was sent. */
const wholeURL = ({ url }: Request, host: string): string => URL.parse(`http://${host}${url}`)?.href ?? url;

/** Of all addresses of a machine, the one that it calls itself. */
function addressOf({ url }: Connection): string {
  const { hostname = "localhost", host = "localhost" } = url ?? {};
  return hostname === "[::]" || hostname === "0.0.0.0" ? `localhost:${url?.port}` : host;
}

let lastHost: string | null = null;

/** Nearly every request has the same host, so the last valid one is remembered. */
function isHost(host: string): boolean {
  if (host === lastHost) return true;
  if (host.length > longestHost || !hostPattern.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
}

/** A name of 253 characters, and a port. */
const longestHost = 259;
const hostPattern = /^([\w-]+(\.[\w-]+)*\.?|\[[\da-fA-F:.]+\])(:\d{1,5})?$/;

/**
 * The path and query of a request, or null if its Host header is repeated or malformed. The runtime builds the URL from that
 * header, so it is checked before the URL is parsed.
 */
export function readTarget(url: string, host: string): { path: string; search: string } | null {
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
