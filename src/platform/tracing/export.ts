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
 * Sends spans to a collector, many at a time and one request after the other. If the collector is slow or unavailable, spans wait
 * until the queue is full; then new ones are dropped. Nothing waits for it.
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

  return { add, close };

  function add(span: Span): void {
    if (queue.length >= maxQueued) return drop(1);
    queue.push(span);
    if (queue.length === batchSize) send();
    else wait();
  }

  function drop(count: number): void {
    if (dropped === 0) log.warn("spans are dropped: the trace collector is too slow or unavailable");
    dropped += count;
  }

  function wait(): void {
    timer ??= setTimeout(send, delayMs).unref();
  }

  function send(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    sending ??= sendBatches(batchSize).finally(() => {
      sending = null;
      if (queue.length > 0 && !closing.signal.aborted) wait();
    });
  }

  /** Until fewer than `least` are left, or the collector takes no more. */
  async function sendBatches(least: number): Promise<void> {
    do {
      const batch = queue.slice(0, batchSize);
      const result = await post(batch);
      report(result);
      if (result.isTemporary) return;
      queue.splice(0, batch.length);
      if (result.failure) drop(batch.length);
    } while (queue.length >= least);
  }

  async function post(batch: Span[]): Promise<Posted> {
    try {
      const response = await fetch(`${endpoint}/v1/traces`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: printSpans(resource, batch),
        // The headers are meant for this collector only.
        redirect: "error",
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      const { ok, status } = response;
      return { failure: ok ? null : `status ${status}`, isTemporary: status === 429 || status >= 500 };
    } catch (error) {
      const { code, name } = error as { code?: unknown; name: string };
      return { failure: typeof code === "string" ? code : name, isTemporary: true };
    }
  }

  /** Once for each time that the collector fails, and once when it works again. */
  function report({ failure }: Posted): void {
    if (failure && !isFailing) log.warn("the trace collector failed", { reason: failure });
    if (!failure && isFailing) log.info("the trace collector works again", { droppedSpans: dropped });
    isFailing = failure !== null;
  }

  async function close(): Promise<void> {
    if (timer) clearTimeout(timer);
    const late = setTimeout(() => closing.abort(), closeMs);
    await sending;
    if (timer) clearTimeout(timer);
    if (queue.length > 0) await sendBatches(1);
    clearTimeout(late);
    closing.abort();
    dropped += queue.splice(0).length;
    if (dropped > 0) log.warn("spans were dropped", { spans: dropped });
  }
}

/** `failure` is null if the collector has taken the spans. A temporary failure leaves them in the queue. */
type Posted = { failure: string | null; isTemporary: boolean };
