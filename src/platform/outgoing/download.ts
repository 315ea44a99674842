import type http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Addresses, beginRequest, FloodError } from "./begin-request.ts";
import { findAllowedAddresses, PostError } from "./post.ts";
import { RemoteDamage, RemoteError } from "./remote.ts";

const idleTimeoutMs = 30_000;
const firstDelayMs = 500;
const attempts = 4;
const redirects = 5;

type DownloadOptions = {
  maxBytes: number;
  /** Whether addresses of this machine and of local networks may be used. */
  allowPrivate: boolean;
  /** Ends it. */
  signal?: AbortSignal;
  /** May refuse what the server announces, with a `RemoteError`. */
  check?: (headers: http.IncomingHttpHeaders) => void;
  /** Finds the addresses of a name; by default as the system does. */
  findAddresses?: (name: string) => Promise<Addresses>;
};

/**
 * The bytes at an address that others have chosen. As for a webhook, a name is resolved once for each connection, and all its
 * addresses must be allowed; redirects are followed, and checked likewise. After a cut connection, it goes on where it was.
 * Fails with a `RemoteError`, whose status is null if no server has responded, or a `RemoteDamage`.
 */
export async function* download(url: URL, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  let done = 0;
  let tag: string | undefined;
  for (let failures = 0; ;) {
    try {
      using wait = createWait(options.signal);
      const { status, response } = await request(url, done, options, wait);
      if (status === 429 || status === 408 || status >= 500)
        throw new RemoteError(`${url.host} has responded with the status ${status}.`, status);
      const isRest =
        status === 206 && Number(/^bytes (\d+)-/.exec(response.headers["content-range"] ?? "")?.[1]) === done;
      if (done > 0 && tag !== response.headers.etag) throw new RemoteDamage("It was changed while it was read.");
      tag = response.headers.etag;
      const length = response.headers["content-length"];
      const total = length === undefined ? null : Number(length) + (isRest ? done : 0);
      if ((total ?? 0) > options.maxBytes) throw tooLarge(url);
      // A server without ranges sends everything again.
      let skip = isRest ? 0 : done;
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        wait.begin();
        const part = chunk.subarray(skip);
        skip -= chunk.length - part.length;
        done += part.length;
        if (done > options.maxBytes) throw tooLarge(url);
        if (part.length > 0) yield part;
        failures = 0;
      }
      if (total === null || done >= total) return;
      throw new Error("the connection was cut");
    } catch (error) {
      const isFinal = error instanceof RemoteDamage || (error instanceof RemoteError && !isTemporary(error));
      if (isFinal || options.signal?.aborted) throw error;
      if (++failures >= attempts || error instanceof FloodError)
        throw error instanceof RemoteError ? error : unreachable(url, error);
      await sleep(firstDelayMs * 2 ** (failures - 1));
    }
  }
}

const isTemporary = ({ status }: RemoteError) => status === 429 || status === 408 || (status !== null && status >= 500);
const tooLarge = ({ host }: URL) => new RemoteError(`${host} has more bytes there than are taken.`, 413);
const unreachable = ({ host }: URL, error: unknown) =>
  new RemoteError(`${host} cannot be reached: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`);

async function request(first: URL, from: number, options: DownloadOptions, wait: Wait) {
  let address = first;
  for (let hop = 0; hop <= redirects; hop++) {
    if (!/^https?:$/.test(address.protocol)) break;
    wait.begin();
    const addresses = await findAllowedAddresses(address, options).catch((error: unknown) => {
      throw error instanceof PostError ? new RemoteError(error.message, 400) : error;
    });
    const headers = {
      "User-Agent": "vitrine",
      "Accept-Encoding": "identity",
      ...(from > 0 && { Range: `bytes=${from}-` }),
    };
    const response = await beginRequest(address, addresses, { headers, signal: wait.signal });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    const leadsOn = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
    const isGood = status === 200 || (status === 206 && from > 0);
    if (!isGood) response.destroy();
    if (isGood) options.check?.(response.headers);
    if (!leadsOn && !isGood && status < 500 && status !== 429 && status !== 408)
      throw new RemoteError(`${address.host} has responded with the status ${status}.`, status);
    if (!leadsOn) return { status, response };
    address = new URL(location, address);
  }
  throw new RemoteError(`${first.host} leads elsewhere, to ${address.origin}.`, 400);
}

/** Ends a connection on which nothing comes for some time. */
type Wait = Disposable & { readonly signal: AbortSignal; begin(): void };

function createWait(ending: AbortSignal | undefined): Wait {
  const controller = new AbortController();
  const end = () => controller.abort(ending?.reason);
  if (ending?.aborted) end();
  ending?.addEventListener("abort", end);
  const timer = setTimeout(() => controller.abort(new Error("no response in time")), idleTimeoutMs);
  return {
    signal: controller.signal,
    begin: () => void timer.refresh(),
    [Symbol.dispose]() {
      clearTimeout(timer);
      ending?.removeEventListener("abort", end);
      controller.abort();
    },
  };
}
