import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { Attributes, Span } from "./otlp.ts";
import type { RequestTracing } from "./tracing.ts";

/** What is recorded of a trace: one request, and what it does until its response begins. */
type Trace = {
  id: string;
  requestID: string;
  /** The span of the proxy that has begun the trace. */
  parentSpanID: string | null;
  started: number;
  spans: number;
  isEnded: boolean;
};
/** The span of which the next one is a part. */
type Parent = { trace: Trace; spanID: string };

/** Work of the database. */
export type Work = { name: string; attributes: Attributes };
/** Does the work, and records it if it is part of a request that is recorded. `describe` adds what is known at the end. */
export type RunSpan = <Result>(
  what: Work,
  work: () => Promise<Result>,
  describe?: (result: Result) => Attributes,
) => Promise<Result>;

/** A request that sends thousands of statements may not displace the spans of all others. */
const maxSpansOfRequest = 500;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createSpans(add: (span: Span) => void): { requests: RequestTracing; span: RunSpan } {
  const current = new AsyncLocalStorage<Parent>();
  return { requests: { run: runRequest, end: endRequest }, span };

  function runRequest<Result>(traceparent: string | null, work: () => Result): Result {
    const parent = readTraceparent(traceparent);
    const id = parent?.traceID ?? randomID(16);
    // The proxy chooses which requests are recorded.
    if (parent && !parent.isRecorded) return work();
    const requestID = randomID(8);
    const parentSpanID = parent?.spanID ?? null;
    const trace: Trace = { id, requestID, parentSpanID, started: now(), spans: 0, isEnded: false };
    return current.run({ trace, spanID: requestID }, work);
  }

  function endRequest(...[route, method, status]: Parameters<RequestTracing["end"]>): string | undefined {
    const trace = current.getStore()?.trace;
    if (!trace || trace.isEnded) return undefined;
    trace.isEnded = true;
    const known = methods.has(method) ? method : "_OTHER";
    const isFailure = status >= 500;
    const leftOut = trace.spans - maxSpansOfRequest;
    add({
      traceID: trace.id,
      spanID: trace.requestID,
      parentSpanID: trace.parentSpanID,
      name: route ? `${known} ${route.path}` : known,
      kind: "server",
      started: trace.started,
      ended: now(),
      attributes: {
        "http.request.method": known,
        "http.response.status_code": status,
        ...(route && { "http.route": route.path }),
        ...(isFailure && { "error.type": String(status) }),
        ...(leftOut > 0 && { "vitrine.spans_left_out": leftOut }),
      },
      isFailure,
    });
    return trace.id;
  }

  async function span<Result>(
    { name, attributes }: Work,
    work: () => Promise<Result>,
    describe?: (result: Result) => Attributes,
  ): Promise<Result> {
    const parent = current.getStore();
    // What a request has started and does not wait for could go on for hours.
    if (!parent || parent.trace.isEnded || ++parent.trace.spans > maxSpansOfRequest) return work();
    const { trace, spanID: parentSpanID } = parent;
    const own = { trace, spanID: randomID(8) };
    const started = now();
    const end = (more: Attributes | undefined, isFailure: boolean) =>
      add({
        traceID: trace.id,
        spanID: own.spanID,
        parentSpanID,
        name,
        kind: "client",
        started,
        ended: now(),
        attributes: { ...attributes, ...more },
        isFailure,
      });
    try {
      const result = await current.run(own, work);
      end(describe?.(result), false);
      return result;
    } catch (error) {
      // The message of an error may contain private data.
      end({ "error.type": error instanceof Error ? error.constructor.name : "unknown" }, true);
      throw error;
    }
  }
}

const randomID = (bytes: number): string => randomBytes(bytes).toString("hex");

/** In milliseconds. Unlike the time of the clock, it never goes back. */
const now = (): number => performance.timeOrigin + performance.now();

const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** W3C Trace Context. A later version may have more at the end; null if it is malformed. */
function readTraceparent(text: string | null) {
  const [, version = "", traceID = "", spanID = "", flags = "", more] = (text && pattern.exec(text)) || [];
  if (traceID === "" || (version === "00" && more !== undefined)) return null;
  return { traceID, spanID, isRecorded: (Number.parseInt(flags, 16) & 1) === 1 };
}
