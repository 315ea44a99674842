import http from "node:http";
import https from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { getCACertificates } from "node:tls";

/** What comes before a response: only so many interim responses (100, 103), and bytes of any kind. */
const maxInterim = 10;
const maxBytesBefore = 2 ** 16;

export type Addresses = { address: string; family: number }[];

/** A server has sent too much before its response. */
export class FloodError extends Error {}

type BeginOptions = {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** Keeps connections for further requests. */
  agent?: http.Agent;
};

/**
 * Sends one request, without redirects or proxies, to one of these addresses: the name in the URL is not looked up again, so
 * that it cannot lead elsewhere between a check and the connection. The result is the response, with its body still to come.
 */
export function beginRequest(
  url: URL,
  addresses: Addresses,
  { method = "GET", headers, body = "", signal, agent }: BeginOptions,
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request: begin } = url.protocol === "https:" ? https : http;
  const length = method !== "GET" && { "Content-Length": String(Buffer.byteLength(body)) };
  const lookup = returnAlways(addresses);
  const request = begin(url, { method, headers: { ...headers, ...length }, agent: agent ?? false, signal, lookup });
  request.on("error", reject);
  let [interim, bytes] = [0, 0];
  const endIf = (isTooMuch: boolean) => {
    if (isTooMuch) request.destroy(new FloodError("there was too much before the response"));
  };
  const count = (chunk: Buffer) => {
    // The response may begin in the same chunk.
    endIf(bytes > maxBytesBefore);
    bytes += chunk.length;
  };
  request.on("information", () => endIf(++interim > maxInterim));
  request.on("socket", (socket: Socket) => socket.on("data", count));
  request.on("response", (response) => {
    request.socket?.off("data", count);
    resolve(response);
  });
  request.end(body);
  return promise;
}

/** The authorities that the operator trusts beside those of the system (`NODE_EXTRA_CA_CERTS`). */
export const listAddedAuthorities = (): string[] => getCACertificates("extra");

export const returnAlways =
  (addresses: Addresses): LookupFunction =>
  (_name, { all }, callback) => {
    const [first] = addresses as [Addresses[0]];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
