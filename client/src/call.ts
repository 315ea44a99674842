import { rememberETag, toIfMatch } from "./etags.ts";
import { type Connection, send, type Sent } from "./send.ts";
import type { CallOptions, IfMatch, Keyed, Page, ShareLink, Shared } from "./types.ts";

/** What the table of operations says about one of them. */
export type Operation = { method: string; path: string; is: Set<string> };
type Input = Record<string, unknown>;
type Options = CallOptions & IfMatch & Keyed & Shared & { range?: string };

const usualTimeout = 60_000;
const itemsAtOnce = 100;

export function readRow(row: string): Operation {
  const [method = "", path = "", ...words] = row.split(" ");
  return { method, path, is: new Set(words) };
}

/** The function that calls the operation, in the shape that its type has. */
export function createCall(connection: Connection, operation: Operation, share: ShareLink | undefined): unknown {
  const { is } = operation;
  const request = (input: Input = {}, options: Options = {}) =>
    toRequest(operation, input, { ...options, share: options.share ?? share });

  if (is.has("response")) {
    const download = async (input?: Input, options?: Options) =>
      send(connection, request(input, options), async (response) => response);
    return Object.assign(download, { url: (input: Input = {}) => connection.baseURL + toURL(operation, input) });
  }
  if (is.has("list")) {
    const list = async (input: Input = {}, options?: Options) =>
      send(connection, request(input, options), (response) => readPage(response, input));
    return Object.assign(list, {
      async *all(input: Input = {}, options?: Options) {
        const size = is.has("size") ? { pageSize: itemsAtOnce } : {};
        let next: Input | null = { ...size, ...(is.has("cursor") && { cursor: "" }), ...input };
        while (next) {
          const page: Page<unknown, Input> = await list(next, options);
          yield* page.items;
          next = page.next;
        }
      },
    });
  }
  return async (input?: Input, options?: Options) => send(connection, request(input, options), readJSON);
}

function toRequest(operation: Operation, input: Input, options: Options): Sent {
  const { method, path, is } = operation;
  const { ifMatch, idempotencyKey, share, range, signal, retry, timeout } = options;
  const hasBytes = is.has("form") || is.has("bytes") || is.has("response");
  const isIdempotent = method === "GET" || method === "PUT" || (method === "DELETE" && path.includes("{"));
  const limit = timeout ?? (hasBytes ? undefined : usualTimeout);
  const { body, type } = toBody(operation, input);
  return {
    method,
    path: toURL(operation, input),
    body,
    // Emptying the trash is not repeated: something else may be in it by then.
    isRepeatable: isIdempotent || is.has("key") || is.has("safe"),
    ...(signal && { signal }),
    ...(retry && { retry }),
    ...(limit !== undefined && { timeout: limit }),
    headers: {
      ...(type && { "Content-Type": type }),
      ...(range && { Range: range }),
      ...(ifMatch && { "If-Match": toIfMatch(ifMatch) }),
      ...(is.has("key") && { "Idempotency-Key": idempotencyKey ?? createKey() }),
      ...(is.has("tus") && { "Tus-Resumable": "1.0.0" }),
      ...(is.has("share") && share && toHeaders(share)),
      ...options.headers,
    },
  };
}

const toHeaders = ({ token, password }: ShareLink) => ({
  "X-Share-Token": token,
  ...(password && { "X-Share-Password": password }),
});

const hasBody = ({ method, is }: Operation) => (method === "POST" || method === "PUT") && !is.has("empty");

/** What is not in the path is in the query of a request without a body. */
function toURL(operation: Operation, input: Input): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodePath(name, input[name]));
  if (hasBody(operation)) return path;
  const query = new URLSearchParams(
    rest(operation, input).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Browsers have no `randomUUID` on pages that were loaded without HTTPS from another machine. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function encodePath(name: string, value: unknown): string {
  if (value === undefined || value === null) throw new TypeError(`"${name}" is required.`);
  return String(value as string | number)
    .split("/")
    .filter(Boolean)
    .map(encodeURIComponent)
    .join("/");
}

function toBody(operation: Operation, input: Input): { body: Sent["body"]; type?: string } {
  const { is } = operation;
  if (!hasBody(operation)) return { body: null };
  if (is.has("bytes")) return { body: input.body as Sent["body"], type: "application/octet-stream" };
  const fields = rest(operation, input);
  if (!is.has("form")) return { body: JSON.stringify(Object.fromEntries(fields)), type: "application/json" };
  const form = new FormData();
  // The file comes last, so that the server knows where it belongs before it arrives.
  const isLast = ([, value]: [string, unknown]) => Number(value instanceof Blob);
  for (const [name, value] of fields.toSorted((one, other) => isLast(one) - isLast(other))) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return { body: form };
}

function rest({ path }: Operation, input: Input): [string, unknown][] {
  return Object.entries(input).filter(([name, value]) => value !== undefined && !path.includes(`{${name}}`));
}

export async function readJSON(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const value: unknown = await response.json();
  rememberETag(value, response);
  return value;
}

async function readPage(response: Response, input: Input): Promise<Page<unknown, Input>> {
  const total = response.headers.get("x-total-count");
  const next = readNext(response.headers.get("link") ?? "");
  return {
    items: (await response.json()) as unknown[],
    next: next && { ...input, ...next },
    total: total === null ? null : Number(total),
  };
}

/** The parameter that the link to the next page adds (RFC 8288). */
function readNext(links: string): { cursor: string } | { page: number } | null {
  const [, query] = /<[^>?]*\?([^>]*)>; rel="next"/.exec(links) ?? [];
  if (query === undefined) return null;
  const parameters = new URLSearchParams(query);
  const cursor = parameters.get("cursor");
  return cursor === null ? { page: Number(parameters.get("page")) } : { cursor };
}
