import { lookup as resolve } from "node:dns/promises";
import type http from "node:http";
import { isIP } from "node:net";
import { type Addresses, beginRequest } from "./begin-request.ts";
import { isPublicAddress } from "./public-address.ts";

const timeoutMs = 10_000;
const excerptBytes = 1000;

type RequestOptions = {
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** "" means none. */
  body: string;
  /** How much of the response is read. */
  maxBytes: number;
  /** Whether addresses of this machine and of local networks may be used. */
  allowPrivate: boolean;
  signal: AbortSignal;
  /** Finds the addresses of a name; by default as the system does. */
  findAddresses?: (name: string) => Promise<Addresses>;
};

type PostOptions = Omit<RequestOptions, "method" | "maxBytes">;
type GetOptions = Omit<RequestOptions, "method" | "body">;

/** `excerpt` is the beginning of the body. Headers that were sent several times are joined by commas. */
type PostResult = { status: number; excerpt: string; headers: Record<string, string> };

/** The request was not sent, or no response came; the message is a sentence. */
export class PostError extends Error {}

/** The address may not be used, now or later. */
export class AddressError extends PostError {}

/** Sends one POST request. Fails with a `PostError`. */
export const post = (url: URL, options: PostOptions): Promise<PostResult> =>
  send(url, { ...options, method: "POST", maxBytes: excerptBytes });

/** Sends one GET request. Fails with a `PostError`. */
export const get = (url: URL, options: GetOptions): Promise<PostResult> =>
  send(url, { ...options, method: "GET", body: "" });

/**
 * Sends one request, without redirects or proxies. A name is resolved once: all its addresses are checked, and the
 * connection goes to one of them, so that a name cannot lead elsewhere between the check and the connection.
 */
async function send(url: URL, options: RequestOptions): Promise<PostResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason));
  try {
    const addresses = await Promise.race([findAllowedAddresses(url, options), aborted.promise]);
    return await Promise.race([sendTo(addresses, url, { ...options, signal }), aborted.promise]);
  } catch (error) {
    if (error instanceof PostError) throw error;
    if (timeout.aborted) throw new PostError(`There was no response within ${timeoutMs / 1000} seconds.`);
    throw new PostError(`The request failed: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`);
  }
}

async function sendTo(addresses: Addresses, url: URL, { maxBytes, ...options }: RequestOptions): Promise<PostResult> {
  const response = await beginRequest(url, addresses, options);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  const excerpt = Buffer.concat(chunks).subarray(0, maxBytes).toString();
  return { status: response.statusCode ?? 0, excerpt, headers: toHeaders(response.headers) };
}

const toHeaders = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join(", ")]));

/** Throws a `PostError` if one of the addresses may not be used. */
export async function findAllowedAddresses(
  { hostname }: URL,
  {
    allowPrivate,
    findAddresses = (name) => resolve(name, { all: true }),
  }: Pick<PostOptions, "allowPrivate" | "findAddresses">,
): Promise<Addresses> {
  // Without the brackets of an IPv6 address, and without the dot that may end a name.
  const name = hostname.replace(/^\[|[\].]$/g, "");
  const family = isIP(name);
  const addresses = family ? [{ address: name, family }] : await findAddresses(name);
  if (addresses.length === 0) throw new PostError(`${name} has no address.`);
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new AddressError(`${name} is not a public address.`);
  }
  return addresses;
}
