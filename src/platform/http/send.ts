import type { Answer } from "./answer.ts";
import { matches } from "./conditional.ts";
import type { CORS } from "./cors.ts";
import { chooseEncoding, compress, type Encoding } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";
import type { Granting } from "./grants.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const forEver = "public, max-age=31536000, immutable";
/** For every response that may depend on the caller. */
const notForCaches = "private, no-store";

type Deps = {
  cors: CORS;
  grants: Granting;
  /** Headers of every response below a path. */
  pathHeaders: Record<string, Record<string, string>>;
};

export type Sending = ReturnType<typeof createSending>;

/** How an answer becomes the response for one client. */
export function createSending({ cors, grants, pathHeaders }: Deps) {
  const announced = Object.entries(pathHeaders).map(
    ([prefix, headers]) => [prefix, Object.entries({ ...headers, ...cors.headers })] as const,
  );
  return { send, encodingOf, complete };

  /** Not modified, compressed, or unchanged. Only reads are compared and may be cached, and those that are private by no cache. */
  function send(exchange: Exchange, answer: Answer, isPrivate: boolean): Response | Promise<Response> {
    const { plain, status, etag } = answer;
    const asked = exchange.request.headers;
    const headers: Record<string, string> = { ...plain.headers, "X-Request-Id": exchange.id };
    if (exchange.method === "GET" && status === 200) {
      headers.ETag = etag;
      headers["Cache-Control"] = isPrivate ? notForCaches : answer.isImmutable ? forEver : "no-cache";
      if (matches(asked.get("if-none-match"), etag)) return build(exchange, null, 304, headers);
    } else headers["Cache-Control"] = isPrivate ? notForCaches : "no-store";

    const encoding = encodingOf(answer, asked);
    if (!encoding) return sendBody(exchange, plain.body, status, headers);
    headers["Content-Encoding"] = encoding;
    const body = compressOnce(answer, encoding);
    return body instanceof Promise
      ? body.then((late) => sendBody(exchange, late, status, headers))
      : sendBody(exchange, body, status, headers);
  }

  function sendBody(exchange: Exchange, body: Bytes, status: number, headers: Record<string, string>): Response {
    // The length is also sent as a header, for responses that are sent without a body.
    if (exchange.request.method === "HEAD") headers["Content-Length"] = String(body.length);
    return build(exchange, body, status, headers);
  }

  function build(exchange: Exchange, body: Bytes | null, status: number, headers: Record<string, string>): Response {
    const response = new Response(body, { status, headers });
    addCommon(exchange, response.headers);
    return response;
  }

  /** Adds what every response has. */
  function complete(exchange: Exchange, response: Response, isPrivate: boolean): Response {
    const { headers } = response;
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Request-Id", exchange.id);
    if (isPrivate) headers.set("Cache-Control", notForCaches);
    addCommon(exchange, headers);
    if (exchange.request.method !== "HEAD" || !response.body) return response;
    // The body will not be read, so its source has to be closed here.
    response.body.cancel().catch(() => {});
    return new Response(null, response);
  }

  /** Headers that follow from the path and the route. */
  function addCommon({ path, operation }: Exchange, headers: Headers): void {
    for (const [prefix, entries] of announced) {
      if (path.startsWith(prefix)) for (const [name, value] of entries) headers.set(name, value);
    }
    if (grants.isGranted(operation)) headers.append("Vary", grants.vary);
  }
}

const encodingOf = ({ isDense, plain }: Answer, asked: Headers): Encoding | null =>
  isDense ? null : chooseEncoding(asked.get("accept-encoding"), plain.body.length);

function compressOnce(answer: Answer, encoding: Encoding): Bytes | Promise<Bytes> {
  const known = answer.precompressed?.[encoding] ?? answer.compressed[encoding];
  if (known) return known;
  const body = compress(answer.plain.body, encoding);
  if (body instanceof Promise) return body.then((late) => (answer.compressed[encoding] = late));
  return (answer.compressed[encoding] = body);
}
