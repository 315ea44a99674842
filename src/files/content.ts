import { missing, Problem } from "../errors.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openClean } from "../images/clean.ts";
import type { Clean } from "../images/image.ts";
import { corsHeaders } from "../platform/http/answer.ts";
import { matches, type Range, readRange } from "../platform/http/conditional.ts";
import type { Exchange } from "../platform/http/exchange.ts";
import { isSafeInline } from "./content-type.ts";
import type { File } from "./file.ts";

/** Long enough to start a download, too short to share the URL. */
const signedSeconds = 60;
const maxInMemory = 2 ** 20;

/** The responses of `sendContent` other than the whole content. */
export const contentStatuses = {
  206: "The requested range",
  304: "Not modified",
  416: "The range is not in the file",
};

type SendOptions = {
  /** Redirects the client to the storage, if the storage supports that. */
  redirect?: boolean;
  /** Sends these bytes instead of the whole blob. */
  clean?: Clean | null;
};

/** Sends the bytes of a file, or a range of them. An uploaded file never runs as a page of this site. */
export async function sendContent(
  blobs: Blobs,
  file: File,
  exchange: Exchange,
  options: SendOptions = {},
): Promise<Response> {
  const { headers, method } = exchange.request;
  const { clean = null, redirect = false } = options;
  const { sha256 } = file;
  if (sha256 === null) throw missing(`content: ${file.name} is a directory`);
  const { size } = clean ?? file;
  const etag = `"${clean?.sha256 ?? sha256}"`;
  const responseHeaders = contentHeaders(file, etag, new URLSearchParams(exchange.search).has("download"));
  if (matches(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: responseHeaders });

  const range = readRange(headers.get("range"), headers.get("if-range"), etag, size);
  if (range === "none") {
    throw new Problem("unsatisfiable", `The file has only ${size} bytes.`, {
      headers: { "Content-Range": `bytes */${size}` },
    });
  }
  // The URL is signed for GET only: HEAD is answered here.
  const url = redirect && !clean && method !== "HEAD" ? await signedURL(blobs, sha256, responseHeaders) : null;
  if (url)
    return new Response(null, { status: 302, headers: { Location: url, "Cache-Control": "no-store", ...corsHeaders } });

  const bytes = method === "HEAD" ? await blobs.has(sha256) : await openClean(blobs, sha256, clean, toByteRange(range));
  if (!bytes) throw missing(`content for file ${file.id}: its bytes are missing from the storage`);
  const { start, end } = toByteRange(range) ?? { start: 0, end: size };
  // A response to HEAD has no body from which the runtime could set the length.
  responseHeaders["Content-Length"] = String(end - start);
  if (range !== "all") responseHeaders["Content-Range"] = `bytes ${start}-${end - 1}/${size}`;
  const body = bytes === true ? null : await bufferIfSmall(bytes, end - start);
  return new Response(body, { status: range === "all" ? 200 : 206, headers: responseHeaders });
}

/** The runtime sends a stream without Content-Length, so a small stream is read into memory. */
async function bufferIfSmall(
  bytes: Blob | ReadableStream<Uint8Array>,
  length: number,
): Promise<Blob | ReadableStream<Uint8Array> | Uint8Array> {
  return bytes instanceof Blob || length > maxInMemory ? bytes : new Response(bytes).bytes();
}

const toByteRange = (range: Range | "all") => (range === "all" ? undefined : range);

function signedURL(blobs: Blobs, sha256: string, responseHeaders: Record<string, string>): Promise<string | null> {
  const { "Content-Type": contentType = "", "Content-Disposition": disposition = "" } = responseHeaders;
  return blobs.signedURL(sha256, { contentType, disposition, seconds: signedSeconds });
}

function contentHeaders(file: File, etag: string, forceDownload: boolean): Record<string, string> {
  const type = file.contentType ?? "application/octet-stream";
  const disposition = forceDownload || !isSafeInline(type) ? "attachment" : "inline";
  return {
    "Content-Type": safeType(type),
    "Content-Disposition": `${disposition}; ${filenameParameters(file.name)}`,
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-cache",
    Vary: "Authorization",
    ETag: etag,
    ...corsHeaders,
  };
}

/** Scripts and style sheets are sent as plain text, so that no page can load them from here. */
function safeType(type: string): string {
  if (/(java|ecma)script|css/.test(type) || type === "text/plain") return "text/plain; charset=utf-8";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

/** The Content-Disposition of a download with this name. */
export const attachment = (name: string) => `attachment; ${filenameParameters(name)}`;

const filenameParameters = (name: string) => `filename="${asciiName(name)}"; filename*=UTF-8''${encodeName(name)}`;

const asciiName = (name: string) => name.replace(/[^\x20-\x7e]|["\\%]/g, "_");

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
