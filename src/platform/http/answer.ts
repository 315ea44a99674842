import type { Encoding } from "./encoding.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A complete response, which can be sent any number of times. What is added for one client is not written to it. */
export type Answer = {
  readonly status: number;
  readonly etag: string;
  /** Compressed in itself: it is sent as it is. */
  readonly isDense?: true;
  /** The URL has a hash of the content. */
  readonly isImmutable?: true;
  readonly plain: { readonly body: Bytes; readonly headers: Readonly<Record<string, string>> };
  /** The body as it was compressed before, with more effort than there is time for now. */
  readonly precompressed?: Record<Encoding, Bytes>;
  /** The same body compressed, from when a client first asked for it. */
  readonly compressed: Partial<Record<Encoding, Bytes>>;
};

export function textAnswer(type: string, text: string, headers: Record<string, string> = {}, status = 200): Answer {
  const body = Buffer.from(text);
  // Weak, because the same text has the same tag in every encoding.
  const etag = `W/"${Bun.hash(body).toString(36)}"`;
  return { status, etag, plain: { body, headers: textHeaders(type, headers) }, compressed: {} };
}

/** Bytes that compress no further, such as those of a font. */
export function bytesAnswer(type: string, body: Bytes, headers: Record<string, string> = {}): Answer {
  const own = { "Content-Type": type, "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*" };
  const etag = `"${Bun.hash(body).toString(36)}"`;
  return { status: 200, etag, isDense: true, plain: { body, headers: { ...own, ...headers } }, compressed: {} };
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
  if (etag === "") return answer;
  const { body, headers } = answer.plain;
  return { ...answer, plain: { body, headers: { ...headers, ETag: etag } } };
}
