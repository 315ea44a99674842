import { Problem } from "../errors.ts";
import type { ByteRange } from "../byte-range.ts";
import type { Answer } from "./answer.ts";
import { matches, readRange } from "./conditional.ts";
import type { Exchange } from "./exchange.ts";

const maxInMemory = 2 ** 20;

type Bytes = Blob | ReadableStream<Uint8Array> | Uint8Array;

/**
 * What the handler of a route with a Media answer returns. With `isPublic`, everyone who may read it gets the same: then caches
 * may store it, even though the route is `personal`.
 */
export type MediaResult = (Answer | Stream | Content) & { isPublic?: boolean };

/** Bytes that are sent as they are; null for a response without a body. The status is that of the route, unless it is given. */
export type Stream = { headers: Record<string, string>; body: Bytes | null; status?: number };

/** Bytes with a tag, for which conditional requests, ranges and HEAD are handled. */
export type Content = {
  headers: Record<string, string>;
  etag: string;
  /** The number of bytes; without it, ranges are not supported. */
  size?: number;
  /** A URL from which the client can read the bytes directly; null if there is none. */
  findURL?(): Promise<string | null>;
  /** Opens the bytes, or a range of them. For HEAD, the length is enough. Throws if the bytes are missing. */
  open(range: ByteRange | null, isHead: boolean): Promise<{ bytes: Bytes | null; length: number }>;
};

/** `common` are headers of every such response. */
export async function respondWith(
  exchange: Exchange,
  result: Stream | Content,
  status: number,
  common: Record<string, string>,
): Promise<Response> {
  const headers = { ...result.headers, ...common };
  if ("open" in result) return sendContent(exchange, result, headers, common);
  return new Response(result.body, { status: result.status ?? status, headers });
}

async function sendContent(
  { request }: Exchange,
  { etag, size, findURL, open }: Content,
  headers: Record<string, string>,
  common: Record<string, string>,
): Promise<Response> {
  headers.ETag = etag;
  if (size !== undefined) headers["Accept-Ranges"] = "bytes";
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });

  const range = size === undefined ? null : findRange(request.headers, etag, size);
  const isHead = request.method === "HEAD";
  // The URL is valid for GET only.
  const url = isHead ? null : await findURL?.();
  if (url)
    return new Response(null, { status: 302, headers: { Location: url, "Cache-Control": "no-store", ...common } });

  const { bytes, length } = await open(range, isHead);
  // A response to HEAD has no body from which the runtime could set the length.
  headers["Content-Length"] = String(length);
  if (range) headers["Content-Range"] = `bytes ${range.start}-${range.end - 1}/${size}`;
  const body = isHead || !bytes ? null : await bufferIfSmall(bytes, length);
  return new Response(body, { status: range ? 206 : 200, headers });
}

function findRange(headers: Headers, etag: string, size: number): ByteRange | null {
  const range = readRange(headers.get("range"), headers.get("if-range"), etag, size);
  if (range === "none") {
    throw new Problem("unsatisfiable", `The file has only ${size} bytes.`, {
      headers: { "Content-Range": `bytes */${size}` },
    });
  }
  return range === "all" ? null : range;
}

/** The runtime sends a stream without Content-Length, so a small stream is read into memory. */
async function bufferIfSmall(bytes: Bytes, length: number): Promise<Bytes> {
  return bytes instanceof ReadableStream && length <= maxInMemory ? new Response(bytes).bytes() : bytes;
}
