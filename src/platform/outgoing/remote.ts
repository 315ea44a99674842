import http from "node:http";
import https from "node:https";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { type Addresses, beginRequest, FloodError } from "./begin-request.ts";
import { findAllowedAddresses } from "./post.ts";
import { isServerAddress } from "./public-address.ts";
import { noteProgress } from "../progress.ts";
import { explainFailure } from "./remote-failure.ts";

const headersTimeoutMs = 60_000;
const idleTimeoutMs = 60_000;
const firstDelayMs = 500;
const longestDelayMs = 120_000;
const usualAttempts = 6;
const redirects = 5;

type RequestOptions = {
  method?: "GET" | "POST" | "PROPFIND";
  headers?: Record<string, string>;
  body?: string;
};

type Response = http.IncomingMessage;
type Consume<Result> = (
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  headers: http.IncomingHttpHeaders,
) => Promise<Result>;

/** The server has refused a request, or could not be reached; the message is a sentence. */
export class RemoteError extends Error {
  /** Null if there was no response. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

/** Bytes that end too early, or are others than the server has announced. */
export class RemoteDamage extends Error {}

export type RemoteOptions = {
  /** How often something is tried. */
  attempts?: number;
  /** How long to wait for the beginning of a response. */
  timeoutMs?: number;
  /** Ends everything, also pauses; what it is aborted with is thrown. */
  signal?: AbortSignal;
  /** Whether the metadata of a cloud and addresses of the local link are refused: the address comes from a request. */
  isGuarded?: boolean;
  /** Finds the addresses of a name; by default as the system does. */
  findAddresses?: (name: string) => Promise<Addresses>;
};

/** A server from which the owner of a site wants to have something. Everything is tried several times, with pauses. */
export type Remote = {
  /** Without a slash at its end. */
  url: string;
  /** The whole of a response with at most this many bytes. */
  text(path: string, most: number, options?: RequestOptions): Promise<string>;
  /** What `consume` makes of a response. It gets the response again if that is cut. */
  read<Result>(path: string, options: RequestOptions, consume: Consume<Result>): Promise<Result>;
  /** A file. After a cut connection, it goes on where it was. */
  download(path: string, size: number | null): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** A page of a list, and the address of the next one in the header Link. */
  page(path: string, most: number): Promise<{ text: string; next: string | null }>;
  /** The same path on this server, whatever server the address names. */
  atHome(address: string): string;
};

/**
 * `key` are the headers that prove who asks; they are sent to this server only. It may be in a local network: unlike the
 * address of a webhook, its address comes from an admin, who wants to have what lies there.
 */
export function createRemote(url: string, key: Record<string, string>, options: RemoteOptions = {}): Remote {
  const { attempts = usualAttempts, timeoutMs = headersTimeoutMs, signal, isGuarded = false } = options;
  const home = new URL(url);
  const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };
  const pause = (attempt: number, retryAfter: string | null) =>
    sleep(delayAfter(attempt, retryAfter), undefined, signal && { signal }).catch(() => signal?.throwIfAborted());

  /** Throws if it is of no use to try again. */
  function checkFailure(error: unknown, attempt: number): void {
    signal?.throwIfAborted();
    if (error instanceof RemoteError) throw error;
    const { sentence, isPermanent } = explainFailure(home, error);
    if (isPermanent || error instanceof FloodError || attempt >= attempts) throw new RemoteError(sentence);
  }

  /** A path below the address of the server, or a whole address of the same server. */
  function addressOf(path: string): URL {
    const address = new URL(path.startsWith("/") ? `${url}${path}` : path, home);
    if (address.origin !== home.origin) throw new RemoteError(`${address.host} is not ${home.host}.`);
    return address;
  }

  /** Each name is looked up once for each request, and that may lead anywhere. A server must not lead into a local network. */
  async function findAddresses(address: URL, isHome: boolean): Promise<Addresses> {
    const found = await findAllowedAddresses(address, { ...options, allowPrivate: isHome }).catch((error: unknown) => {
      throw isHome ? error : new RemoteError(`It leads to another server: ${(error as Error).message}`, 400);
    });
    if (isGuarded && !found.every((one) => isServerAddress(one.address)))
      throw new RemoteError(`${address.hostname} is an address that no server of yours can have.`);
    return found;
  }

  async function sendOnce(first: URL, { method = "GET", headers = {}, body }: RequestOptions, wait: Wait) {
    let address = first;
    for (let hop = 0; hop <= redirects; hop++) {
      const isHome = address.origin === home.origin || isSecured(home, address);
      const addresses = await findAddresses(address, isHome);
      const response = await beginRequest(address, addresses, {
        method,
        headers: { "User-Agent": "vitrine", "Accept-Encoding": "gzip", ...headers, ...(isHome && key) },
        signal: wait.signal,
        agent: agents[address.protocol as keyof typeof agents],
        ...(body !== undefined && { body }),
      });
      const { location } = response.headers;
      if (location === undefined || ![301, 302, 303, 307, 308].includes(response.statusCode ?? 0)) return response;
      response.destroy();
      address = new URL(location, address);
      const isElsewhere = address.origin !== home.origin && !isSecured(home, address);
      if (!/^https?:$/.test(address.protocol) || (method !== "GET" && isElsewhere)) break;
    }
    throw new RemoteError(`${home.host} leads elsewhere, to ${address.origin}: give that address.`, 400);
  }

  /** Sends a request until there is a response that is no temporary failure. */
  async function send(path: string, options: RequestOptions, wait: Wait): Promise<Response> {
    const address = addressOf(path);
    for (let attempt = 1; ; attempt++) {
      wait.begin(timeoutMs);
      const response = await sendOnce(address, options, wait).catch((error: unknown) => {
        checkFailure(error, attempt);
        return null;
      });
      const status = response?.statusCode ?? 0;
      if (response && status >= 200 && status <= 299) return response;
      response?.destroy();
      const isTemporary = !response || status === 429 || status === 408 || status >= 500;
      if (!isTemporary || attempt >= attempts) throw refusalOf(home, status);
      wait.end();
      await pause(attempt, response?.headers["retry-after"] ?? null);
    }
  }

  async function read<Result>(path: string, options: RequestOptions, consume: Consume<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      using wait = createWait(signal);
      const response = await send(path, options, wait);
      try {
        return await consume(bodyOf(response, wait), response.headers);
      } catch (error) {
        checkFailure(error, attempt);
      }
      await pause(attempt, null);
    }
  }

  async function* download(path: string, size: number | null) {
    let done = 0;
    let tag: string | undefined;
    for (let failures = 0; ;) {
      try {
        using wait = createWait(signal);
        const range: Record<string, string> = done > 0 ? { Range: `bytes=${done}-` } : {};
        const response = await send(path, { headers: { "Accept-Encoding": "identity", ...range } }, wait);
        const isRest = response.statusCode === 206 && startOf(response) === done;
        const version = response.headers.etag;
        if (done > 0 && tag !== version) throw new RemoteDamage("It was changed while it was read.");
        tag = version;
        const total = size ?? lengthOf(response, isRest ? done : 0);
        // A server without ranges sends everything again.
        let skip = isRest ? 0 : done;
        for await (const chunk of bodyOf(response, wait)) {
          const part = chunk.subarray(skip);
          skip -= chunk.length - part.length;
          done += part.length;
          if (total !== null && done > total) throw new RemoteDamage("It is longer than the server says.");
          if (part.length > 0) yield part;
          failures = 0;
        }
        if (total === null || done >= total) return;
        throw new Error("the connection was cut");
      } catch (error) {
        if (error instanceof RemoteDamage) throw error;
        checkFailure(error, ++failures);
        await pause(failures, null);
      }
    }
  }

  return {
    url,
    text: (path, most, options = {}) => read(path, options, (body) => textOf(body, most, home)),
    page: (path, most) =>
      read(path, {}, async (body, headers) => {
        const next = /<([^<>]*)>\s*;\s*rel="?next"?/i.exec(linkIn(headers))?.[1];
        return { text: await textOf(body, most, home), next: next === undefined ? null : atHome(next) };
      }),
    read,
    download,
    atHome,
  };

  /** A server behind a proxy may know itself by another name. */
  function atHome(address: string): string {
    const { pathname, search } = new URL(address, home);
    return `${home.origin}${pathname}${search}`;
  }
}

/** The same server by HTTPS. */
const isSecured = (from: URL, to: URL) =>
  from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname && to.port === "";

function refusalOf({ host }: URL, status: number): RemoteError {
  if (status === 401) return new RemoteError(`${host} does not accept the key.`, status);
  if (status === 403) return new RemoteError(`${host} does not allow this to the key.`, status);
  return new RemoteError(`${host} has responded with the status ${status}.`, status);
}

function delayAfter(attempt: number, retryAfter: string | null): number {
  const wished =
    retryAfter === null
      ? Number.NaN
      : /^\d{1,6}$/.test(retryAfter)
        ? Number(retryAfter) * 1000
        : Date.parse(retryAfter) - Date.now();
  const delay = Number.isNaN(wished) ? firstDelayMs * 2 ** (attempt - 1) : wished;
  return Math.min(Math.max(delay, 0), longestDelayMs);
}

async function textOf(chunks: AsyncIterable<Uint8Array>, most: number, { host }: URL): Promise<string> {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw new RemoteError(`A response of ${host} has more than ${most} bytes.`, 400);
    all.push(chunk);
  }
  return Buffer.concat(all).toString();
}

async function* bodyOf(response: Response, wait: Wait): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const isCompressed = response.headers["content-encoding"] === "gzip";
  const body: AsyncIterable<Buffer<ArrayBuffer>> = isCompressed
    ? pipeline(response, createGunzip(), () => {})
    : response;
  wait.atMost(idleTimeoutMs);
  for await (const chunk of body) {
    // Who reads may take long.
    wait.end();
    noteProgress();
    yield chunk;
    wait.atMost(idleTimeoutMs);
  }
}

const linkIn = ({ link = "" }: http.IncomingHttpHeaders) => [link].flat().join(", ");

function startOf({ headers }: Response): number | null {
  const start = /^bytes (\d{1,16})-/.exec(headers["content-range"] ?? "")?.[1];
  return start === undefined ? null : Number(start);
}

/** How many bytes the whole file has, if the response says that; `before` is where it begins. */
function lengthOf({ headers }: Response, before: number): number | null {
  const length = headers["content-length"];
  if (length === undefined || headers["content-encoding"] !== undefined) return null;
  return before + Number(length);
}

/** Ends a request if nothing comes for some time. */
type Wait = Disposable & {
  readonly signal: AbortSignal;
  /** Waits for another request. */
  begin(milliseconds: number): void;
  atMost(milliseconds: number): void;
  end(): void;
};

function createWait(whole: AbortSignal | undefined): Wait {
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const atMost = (milliseconds: number) => {
    end();
    timer = setTimeout(() => controller.abort(new Error("no response in time")), milliseconds);
  };
  return {
    get signal() {
      return whole ? AbortSignal.any([controller.signal, whole]) : controller.signal;
    },
    begin(milliseconds) {
      controller = new AbortController();
      atMost(milliseconds);
    },
    atMost,
    end,
    [Symbol.dispose]() {
      end();
      controller.abort();
    },
  };
}
