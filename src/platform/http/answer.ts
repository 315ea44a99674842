import { matches } from "./conditional.ts";
import { chooseEncoding, compress, type Encoding } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";

/** A whole answer, ready to be sent any number of times. */
export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly etag: string;
  readonly headers: Record<string, string>;
  /** The same body compressed, made when somebody first asks for it. */
  readonly compressed: Partial<Record<Encoding, Uint8Array>>;
};

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return whole(status, "application/json", JSON.stringify(value), headers);
}

export function textAnswer(contentType: string, text: string, headers: Record<string, string> = {}): Answer {
  return whole(200, contentType, text, headers);
}

function whole(status: number, contentType: string, text: string, headers: Record<string, string>): Answer {
  const body = Buffer.from(text);
  // Weak: the same text has the same tag in every encoding.
  const etag = `W/"${Bun.hash(body).toString(36)}"`;
  return { status, contentType: `${contentType}; charset=utf-8`, body, etag, headers, compressed: {} };
}

/** Headers of every answer that a script of another origin may read. No credentials: only bearer tokens are used. */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Total-Count",
};

/** The answer as this client gets it: not modified, compressed, or as it is. */
export function send(exchange: Exchange, answer: Answer): Response | Promise<Response> {
  const { headers } = exchange.request;
  const isRead = exchange.method === "GET" && answer.status === 200;
  if (isRead && matches(headers.get("if-none-match"), answer.etag)) return build(exchange, 304, answer, null, null);
  const encoding = chooseEncoding(headers.get("accept-encoding"), answer.body.length);
  if (!encoding) return build(exchange, answer.status, answer, answer.body, null);
  const ready = answer.compressed[encoding] ?? compress(answer.body, encoding);
  const finish = (body: Uint8Array) => {
    answer.compressed[encoding] = body;
    return build(exchange, answer.status, answer, body, encoding);
  };
  return ready instanceof Promise ? ready.then(finish) : finish(ready);
}

function build(exchange: Exchange, status: number, answer: Answer, body: Uint8Array | null, encoding: Encoding | null) {
  const headers: Record<string, string> = {
    "Content-Type": answer.contentType,
    "X-Request-Id": exchange.id,
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept-Encoding",
    ...corsHeaders,
    ...answer.headers,
  };
  if (exchange.method === "GET" && answer.status === 200) {
    headers.ETag = answer.etag;
    headers["Cache-Control"] ??= "no-cache";
  } else headers["Cache-Control"] = "no-store";
  if (encoding) headers["Content-Encoding"] = encoding;
  return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
}
