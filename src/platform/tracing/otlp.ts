/** Attributes never contain what a client has sent, what is stored, or who asks. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Times are in milliseconds since 1970. */
export type Span = {
  traceID: string;
  spanID: string;
  parentSpanID: string | null;
  name: string;
  kind: "server" | "client";
  started: number;
  ended: number;
  attributes: Attributes;
  isFailure: boolean;
};

const kinds = { server: 2, client: 3 };
const failed = 2;

/** The body of a request to a collector: OTLP in JSON. */
export const printSpans = (resource: Attributes, spans: Span[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: "vitrine" }, spans: spans.map(toSpan) }],
      },
    ],
  });

const toSpan = ({ traceID, spanID, parentSpanID, name, kind, started, ended, attributes, isFailure }: Span) => ({
  traceId: traceID,
  spanId: spanID,
  ...(parentSpanID && { parentSpanId: parentSpanID }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: toNanoseconds(started),
  endTimeUnixNano: toNanoseconds(ended),
  attributes: toAttributes(attributes),
  status: isFailure ? { code: failed } : {},
});

/** A string, because a number would not be exact. */
const toNanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`;

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));

function toValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  return typeof value === "number" ? { intValue: String(value) } : { boolValue: value };
}
