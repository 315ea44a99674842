import { invalid } from "../errors.ts";
import { type Exchange, noteProgress } from "./exchange.ts";

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
export async function* streamBody(exchange: Exchange, limit: number, sentence: string): AsyncGenerator<Uint8Array> {
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

/** The whole body. */
export async function readBytes(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const length = Number(exchange.request.headers.get("content-length") ?? Infinity);
  if (length <= Math.min(smallBody, limit)) return readSmallBody(exchange);
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(exchange, limit, `The body is larger than ${limit} bytes.`)) chunks.push(chunk);
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
