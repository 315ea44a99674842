import { invalid } from "../../errors.ts";
import { type Exchange, noteProgress } from "./exchange.ts";

const maxDepth = 64;
/** More than any request needs. Building an object with very many keys is slow. */
const maxValues = 20_000;
/**
 * A body of at most this many bytes is read by the runtime, which costs less than a stream. At the lowest rate that is
 * accepted, it arrives in less time than a request may take without progress.
 */
const smallBody = 16_384;

/**
 * The bytes of the body as they arrive. Too many bytes, or a client that stops sending, is a 400. The runtime's idle
 * timer does not notice incoming bytes and would cut off a slow but valid upload, so it is disabled until the response
 * is sent.
 */
export async function* readBody(exchange: Exchange, limit: number, sentence: string): AsyncGenerator<Uint8Array> {
  const { request } = exchange;
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw invalid(sentence);
  if (!request.body) return;
  const reader = request.body.getReader();
  const started = performance.now();
  let size = 0;
  startReceiving(exchange, () => void reader.cancel().catch(() => {}));
  try {
    while (true) {
      const { done, value } = await reader.read().catch(throwIncomplete);
      if (exchange.abandoned) throw stalled();
      if (done) return;
      noteProgress(exchange);
      size += value.length;
      if (size > limit) throw invalid(sentence);
      if (isTooSlow(size, exchange.lastProgress - started)) throw invalid("The request body is arriving too slowly.");
      yield value;
    }
  } finally {
    exchange.stopReceiving = null;
    noteProgress(exchange);
    await reader.cancel().catch(() => {});
  }
}

function startReceiving(exchange: Exchange, stop: () => void): void {
  exchange.server?.timeout(exchange.request, 0);
  exchange.isIdleTimerOff = true;
  exchange.stopReceiving = stop;
}

const stalled = () => invalid("The upload stalled before the request body was complete.");

function throwIncomplete(): never {
  throw invalid("The body ended before it was complete.");
}

/** After the first minute, at least one kilobyte per second: anything slower only occupies a connection. */
function isTooSlow(bytes: number, milliseconds: number): boolean {
  return milliseconds > 60_000 && bytes < milliseconds;
}

/** The body as a JSON object. */
export async function readJSON(exchange: Exchange, limit: number): Promise<Record<string, unknown>> {
  const type = exchange.request.headers.get("content-type") ?? "";
  if (!/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw invalid("The body must be JSON: send it with the header Content-Type: application/json.");
  }
  const text = decode(await readBytes(exchange, limit));
  checkShape(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The body must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

/** The whole body. */
export async function readBytes(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const length = Number(exchange.request.headers.get("content-length") ?? Infinity);
  if (length <= Math.min(smallBody, limit)) return readSmallBody(exchange);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBody(exchange, limit, `The body is larger than ${limit} bytes.`)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readSmallBody(exchange: Exchange): Promise<Uint8Array> {
  startReceiving(exchange, () => {});
  try {
    const bytes = await exchange.request.bytes().catch(throwIncomplete);
    if (exchange.abandoned) throw stalled();
    return bytes;
  } finally {
    exchange.stopReceiving = null;
    noteProgress(exchange);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON.");
  }
}

/** Checked before parsing, so that a client cannot make later steps recurse too deeply or build too large an object. */
function checkShape(text: string): void {
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index++;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) throw invalid(`The body is nested more than ${maxDepth} levels deep.`);
    } else if (code === 93 || code === 125) depth--;
    else if (code === 44 && ++values > maxValues) throw invalid(`The body has more than ${maxValues} values.`);
  }
}
