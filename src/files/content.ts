import { missing, Problem } from "../errors.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { corsHeaders } from "../platform/http/answer.ts";
import { matches, readRange } from "../platform/http/conditional.ts";
import type { Exchange } from "../platform/http/exchange.ts";
import { isSafeInline } from "./content-type.ts";
import type { File } from "./file.ts";

/** The bytes of a file, or a part of them. A stranger's file never runs as a page of this site. */
export async function sendContent(blobs: Blobs, file: File, exchange: Exchange): Promise<Response> {
  const { headers } = exchange.request;
  if (file.sha256 === null) throw missing(`content: ${file.name} is a directory`);
  const etag = `"${file.sha256}"`;
  const answered = contentHeaders(file, etag, new URLSearchParams(exchange.search).has("download"));
  if (matches(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: answered });

  const range = readRange(headers.get("range"), headers.get("if-range"), etag, file.size);
  if (range === "none") {
    throw new Problem("unsatisfiable", `The file has only ${file.size} bytes.`, {
      headers: { "Content-Range": `bytes */${file.size}` },
    });
  }
  const bytes = await blobs.open(file.sha256, range === "all" ? undefined : range);
  if (!bytes) throw missing(`content for file ${file.id}: its bytes are lost from the storage`);
  if (range === "all") return new Response(bytes, { headers: answered });
  answered["Content-Range"] = `bytes ${range.start}-${range.end - 1}/${file.size}`;
  return new Response(bytes, { status: 206, headers: answered });
}

function contentHeaders(file: File, etag: string, forceDownload: boolean): Record<string, string> {
  const type = file.contentType ?? "application/octet-stream";
  const disposition = forceDownload || !isSafeInline(type) ? "attachment" : "inline";
  return {
    "Content-Type": safeType(type),
    "Content-Disposition": `${disposition}; filename="${asciiName(file.name)}"; filename*=UTF-8''${encodeName(file.name)}`,
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-cache",
    ETag: etag,
    ...corsHeaders,
  };
}

/** Scripts and style sheets become plain text, so that no page can load them from here. */
function safeType(type: string): string {
  if (/(java|ecma)script|css/.test(type) || type === "text/plain") return "text/plain; charset=utf-8";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

const asciiName = (name: string) => name.replace(/[^\x20-\x7e]|["\\%]/g, "_");

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
