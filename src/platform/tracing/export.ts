import type { Log } from "../log.ts";
import { type Attributes, printSpans, type Span } from "./otlp.ts";
import type { TracingConfig } from "./tracing.ts";

const maxQueued = 2048;
/** Printing so many takes less than 2 ms. */
const batchSize = 256;
const timeoutMs = 10_000;
const closeMs = 2000;

type Exporter = { add(span: Span): void; close(): Promise<void> };

/**
 * Sends spans to a collector, many at a time and one request after the other. What it does not take is dropped, and so is what does
 * not fit into the queue. Nothing waits for it.
 */
export function createExporter(
  { endpoint, headers, delayMs }: Pick<TracingConfig, "endpoint" | "headers" | "delayMs">,
  resource: Attributes,
  log: Log,
): Exporter {
  const queue: Span[] = [];
  const closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let sending: Promise<void> | null = null;
  let dropped = 0;
  let isFailing = false;

  return {
    add(span) {
      if (queue.length >= maxQueued) return drop(1, "it is too slow");
      queue.push(span);
      if (queue.length >= batchSize) void send();
      else wait();
    },
    async close() {
      const late = setTimeout(() => closing.abort(), closeMs);
      await sending;
      await send();
      clearTimeout(late);
      if (dropped > 0) log.warn("spans were dropped", { spans: dropped });
    },
  };

  /** Said once for each time that the collector fails. */
  function drop(count: number, reason: string): void {
    dropped += count;
    if (!isFailing) log.warn("the trace collector failed, and spans are dropped", { reason });
    isFailing = true;
  }

  function wait(): void {
    timer ??= setTimeout(() => void send(), delayMs).unref();
  }

  function send(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    sending ??= sendAll().finally(() => {
      sending = null;
      if (queue.length > 0) wait();
    });
    return sending;
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      const failure = await post(batch);
      if (failure !== null) drop(batch.length, failure);
      else if (isFailing) {
        isFailing = false;
        log.info("the trace collector works again", { droppedSpans: dropped });
      }
    }
  }

  /** Returns why the collector has not taken them, or null. */
  async function post(batch: Span[]): Promise<string | null> {
    try {
      const { body, ok, status } = await fetch(`${endpoint}/v1/traces`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: printSpans(resource, batch),
        // The headers are meant for this collector only.
        redirect: "error",
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await body?.cancel();
      return ok ? null : `status ${status}`;
    } catch (error) {
      const { code, name } = error as { code?: unknown; name: string };
      return typeof code === "string" ? code : name;
    }
  }
}
