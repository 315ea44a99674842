import { matches } from "./conditional.ts";
import { chooseEncoding, compress, type Encoding } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";

/** A complete response, which can be sent any number of times. */
export type Answer = {
  readonly status: number;
  readonly etag: string;
  /** The URL has a hash of the content. */
  readonly isImmutable?: true;
  readonly plain: Form;
  /** The body as it was compressed before, with more effort than there is time for now. */
  readonly precompressed?: Record<Encoding, Uint8Array<ArrayBuffer>>;
  /** The same body compressed, created when a client first asks for it. */
  readonly compressed: Partial<Record<Encoding, Form>>;
};

/** A body with its headers. Sending it again clones a response that was created once, which is faster. */
type Form = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Record<string, string>;
  timesSent: number;
  response?: Response;
};

const forEver = "public, max-age=31536000, immutable";
/** For every response that may depend on the caller. */
const notForCaches = "private, no-store";

export function textAnswer(type: string, text: string, headers: Record<string, string> = {}, status = 200): Answer {
  const body = Buffer.from(text);
  // Weak, because the same text has the same tag in every encoding.
  const etag = `W/"${Bun.hash(body).toString(36)}"`;
  return { status, etag, plain: { body, headers: textHeaders(type, headers), timesSent: 0 }, compressed: {} };
}

export function textHeaders(type: string, more: Record<string, string>): Record<string, string> {
  return {
    "Content-Type": `${type}; charset=utf-8`,
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept-Encoding, Origin",
    "Access-Control-Allow-Origin": "*",
    ...more,
  };
}

/** The answer to a change, with the tag of what was changed; "" for none. */
export function withETag(answer: Answer, etag: string): Answer {
  if (etag !== "") answer.plain.headers.ETag = etag;
  return answer;
}

/**
 * The response for this client: not modified, compressed, or unchanged. Only reads are compared and may be cached, and those
 * that are private by no cache.
 */
export function send(exchange: Exchange, answer: Answer, isPrivate: boolean): Response | Promise<Response> {
  const { plain, status, etag } = answer;
  const asked = exchange.request.headers;
  if (exchange.method === "GET" && status === 200) {
    plain.headers.ETag = etag;
    plain.headers["Cache-Control"] = isPrivate ? notForCaches : answer.isImmutable ? forEver : "no-cache";
    if (matches(asked.get("if-none-match"), etag)) {
      return finish(exchange, new Response(null, { status: 304, headers: plain.headers }));
    }
  } else plain.headers["Cache-Control"] = isPrivate ? notForCaches : "no-store";

  const encoding = chooseEncoding(asked.get("accept-encoding"), plain.body.length);
  const form = encoding ? answer.compressed[encoding] : plain;
  if (form) return build(exchange, status, form);
  return compressAndBuild(exchange, answer, encoding as Encoding);
}

function compressAndBuild(exchange: Exchange, answer: Answer, encoding: Encoding): Response | Promise<Response> {
  const finish = (body: Uint8Array<ArrayBuffer>) => {
    const form = { body, headers: { ...answer.plain.headers, "Content-Encoding": encoding }, timesSent: 0 };
    answer.compressed[encoding] = form;
    return build(exchange, answer.status, form);
  };
  const body = answer.precompressed?.[encoding] ?? compress(answer.plain.body, encoding);
  return body instanceof Promise ? body.then(finish) : finish(body);
}

function build(exchange: Exchange, status: number, form: Form): Response {
  const { body, headers } = form;
  const isAgain = form.timesSent++ > 0;
  if (exchange.request.method === "HEAD") {
    // The length is also sent as a header, for responses that are sent without a body.
    const measured = { ...headers, "Content-Length": String(body.length) };
    return finish(exchange, new Response(body, { status, headers: measured }));
  }
  if (isAgain) form.response ??= new Response(body, { status, headers });
  return finish(exchange, (form.response?.clone() as Response | undefined) ?? new Response(body, { status, headers }));
}

function finish(exchange: Exchange, response: Response): Response {
  response.headers.set("X-Request-Id", exchange.id);
  return response;
}

/** Adds what every response has. */
export function complete(exchange: Exchange, response: Response, isPrivate: boolean): Response {
  response.headers.set("X-Request-Id", exchange.id);
  if (isPrivate) response.headers.set("Cache-Control", notForCaches);
  if (exchange.request.method !== "HEAD" || !response.body) return response;
  // The body will not be read, so its source has to be closed here.
  response.body.cancel().catch(() => {});
  return new Response(null, response);
}
