import { until } from "../until.ts";

/** A span as a collector receives it, with its attributes as an object. */
export type ReceivedSpan = {
  traceID: string;
  spanID: string;
  parentID: string | null;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean>;
  isFailure: boolean;
};

type Value = { stringValue?: string; intValue?: string; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attribute[];
        status: { code?: number };
      }[];
    }[];
  }[];
};

/** A collector on a free loopback port. It takes spans, refuses them, or lets the server wait. */
export function startCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: Headers[] = [];
  const resources: Record<string, unknown>[] = [];
  let waiting = Promise.resolve();
  let status = 200;

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const text = await request.text();
      headers.push(request.headers);
      await waiting;
      if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
      if (status === 200) take(text);
      return Response.json({}, { status });
    },
  });

  function take(text: string): void {
    bodies.push(text);
    for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans) {
      resources.push(toObject(resource.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        if (BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano)) throw new Error("A span ends too early.");
        spans.push({
          traceID: span.traceId,
          spanID: span.spanId,
          parentID: span.parentSpanId ?? null,
          name: span.name,
          kind: span.kind,
          attributes: toObject(span.attributes),
          isFailure: span.status.code === 2,
        });
      }
    }
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    bodies,
    headers,
    resources,
    respondWith: (other: number) => void (status = other),
    /** From now on, requests wait for what is returned. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = promise;
      return resolve;
    },
    /** The spans of the first request of this name that was received after this many spans, as soon as it has ended. */
    async traceOf(name: string, after = 0): Promise<ReceivedSpan[]> {
      const find = () => spans.slice(after).find((span) => span.name === name && span.kind === 2);
      const found = await until(find);
      return spans.filter(({ traceID }) => traceID === found?.traceID);
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const toObject = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );

/** One line for each span, with its parts below it and indented. */
export function printTree(spans: ReceivedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanID }) => spanID));
  const print = (span: ReceivedSpan, indent: string): string[] => [
    indent + span.name,
    ...spans.filter(({ parentID }) => parentID === span.spanID).flatMap((part) => print(part, `${indent}  `)),
  ];
  return spans.filter(({ parentID }) => !parentID || !ids.has(parentID)).flatMap((root) => print(root, ""));
}
