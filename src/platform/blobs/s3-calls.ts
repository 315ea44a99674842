import { AwsV4Signer } from "aws4fetch";
import { Problem } from "../errors.ts";
import { troubled } from "../disk-errors.ts";
import { backoff, isBusy, type Patience, patienceOfRead, readRetryAfter, stillBusy } from "./s3-busy.ts";
import { explainRefusal, type Refusal } from "./s3-explain.ts";
import type { S3Options } from "./s3-options.ts";
import { textOf } from "./s3-xml.ts";

type Call = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** "" means the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { bytes: Blob | string; sha256: string };
  /** Called from time to time while the body is being sent. */
  moved?: (() => void) | undefined;
  tries?: number;
  patience?: Patience | undefined;
};

export type S3 = {
  /**
   * Returns the response if it is 2xx or 404. Other responses are retried where that may help, and then thrown as a
   * Problem.
   */
  call(call: Call): Promise<Response>;
  /**
   * The status of a request for the bucket, and why it is refused, if that is known; null if there is no response.
   */
  look(): Promise<{ status: number; reason: string | null } | null>;
  /** The origin of signed URLs. */
  readonly origin: string;
  signURL(key: string, seconds: number, query: Record<string, string>): Promise<string>;
};

/** How long the blob store may not respond before it counts as unavailable, including retries. */
const silenceTimeoutMs = 4_000;
/** How long requests are retried while the blob store responds with errors. */
const retryErrorsForMs = 20_000;
/**
 * While a body is being sent, a HEAD request checks this often that the blob store still responds, within this time.
 */
const probe = { everyMs: 1_000, withinMs: 3_000 };
const longestTransfer = 60_000;
const emptySHA256 = new Bun.CryptoHasher("sha256").digest("hex");

/**
 * Signed requests with deadlines. The runtime's S3 client is not used: it accepts no abort signal, so that a blob store
 * which stops responding blocks callers and connections for minutes, and it cannot send the expected SHA-256 of the
 * body.
 */
export function connectS3(options: S3Options): S3 {
  const base = bucketURL(options);
  const credentials = {
    accessKeyId: options.accessKeyID,
    secretAccessKey: options.secretAccessKey,
    ...(options.sessionToken ? { sessionToken: options.sessionToken } : {}),
    region: options.region,
    service: "s3",
    cache: new Map<string, ArrayBuffer>(),
  };

  return { call, look, signURL, origin: new URL(base).origin };

  async function call(call: Call): Promise<Response> {
    const busyUntil = performance.now() + retryErrorsForMs;
    const patience = call.patience ?? patienceOfRead();
    let silentUntil = performance.now() + silenceTimeoutMs;
    const moved = () => {
      silentUntil = performance.now() + silenceTimeoutMs;
      call.moved?.();
    };
    for (let tries = 1; ; tries++) {
      // Full jitter, so that many copies that lost the connection at the same time do not retry at the same time.
      let wait = Math.random() * 200 * 3 ** tries;
      const mayWait = (until: number) => tries < (call.tries ?? 4) && performance.now() + wait < until;
      try {
        const response = await send({ ...call, moved }, silentUntil - performance.now());
        if (response.ok || response.status === 404) return response;
        const { code, description } = await describe(call, response);
        if (isFull(response.status, code)) throw withCause(troubled("full"), description);
        if (isBusy(response)) wait = waitUntilLessBusy(call, { tries, patience, response, description });
        else if (!isPassing(response.status) || !mayWait(busyUntil)) throw refused(description);
        silentUntil = performance.now() + wait + silenceTimeoutMs;
      } catch (error) {
        if (error instanceof Problem) throw error;
        // Aborted by us, because the time is up. All other errors come from a broken connection.
        if ((error as Error).name === "AbortError" || !mayWait(silentUntil)) throw silent(error);
      }
      await Bun.sleep(wait);
    }
  }

  /** Retried like every other request: it is often the first one. */
  async function look(): ReturnType<S3["look"]> {
    const until = performance.now() + silenceTimeoutMs;
    for (let tries = 1; ; tries++) {
      const found = await tryLook(until - performance.now());
      if (found !== null && !isPassing(found.status) && !isBusy(found)) return found;
      const wait = Math.random() * 200 * 3 ** tries;
      if (tries === 4 || performance.now() + wait > until) return found;
      await Bun.sleep(wait);
    }
  }

  async function tryLook(withinMs: number): ReturnType<S3["look"]> {
    try {
      const { status } = await send({ method: "HEAD", key: "" }, withinMs);
      if (status < 300 || status >= 500 || status === 404) return { status, reason: null };
      const response = await send({ method: "GET", key: "", query: { "max-keys": "1" } }, silenceTimeoutMs);
      return { status, reason: explainRefusal(await readRefusal(response), options) };
    } catch {
      return null;
    }
  }

  async function describe({ method, key }: Call, response: Response): Promise<{ code: string; description: string }> {
    const refusal = await readRefusal(response);
    const [code = "", message = ""] = ["Code", "Message"].map((name) => textOf(refusal.text, name));
    const reason = explainRefusal(refusal, options);
    const description = `${method} ${key}: ${response.status} ${code} ${message}`.trim();
    return { code, description: reason ? `${description} (${reason})` : description };
  }

  async function send(call: Call, withinMs: number): Promise<Response> {
    const { method, body } = call;
    const request = await sign(call);
    const stop = new AbortController();
    const watching = body ? watchTransfer(stop, call.moved) : setTimeout(() => stop.abort(), Math.max(withinMs, 0));
    try {
      const init = {
        method,
        headers: request.headers,
        redirect: "manual",
        decompress: false,
        signal: stop.signal,
      } as const;
      const response = await fetch(request.url, body ? { ...init, body: body.bytes } : init);
      const { status, headers } = response;
      const size = method === "GET" && response.ok ? headers.get("content-length") : null;
      const whole = response.body && withoutStalls(response.body, { stop, size: size === null ? null : Number(size) });
      return new Response(whole, { status, headers });
    } finally {
      clearTimeout(watching);
    }
  }

  /**
   * A transfer may be slow, but must not stall. The sender cannot see its progress, so separate requests check the blob
   * store.
   */
  function watchTransfer(stop: AbortController, moved?: () => void): NodeJS.Timeout {
    const until = performance.now() + longestTransfer;
    return setInterval(() => {
      const alive = () => (performance.now() > until ? stop.abort() : moved?.());
      send({ method: "HEAD", key: "" }, probe.withinMs).then(alive, () => stop.abort());
    }, probe.everyMs);
  }

  async function sign({ method, key, query, headers, body }: Call): Promise<{ url: string; headers: Headers }> {
    // A part is encrypted and stored as the upload to which it belongs.
    const isNewObject = key !== "" && (method === "PUT" ? !query?.partNumber : query?.uploads !== undefined);
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: urlOf(key, query),
      headers: {
        ...headers,
        ...(isNewObject && options.objectHeaders),
        "X-Amz-Content-Sha256": body?.sha256 ?? emptySHA256,
      },
    });
    const signed = await signer.sign();
    // Not signed, because proxies change it. Ranges count stored bytes, so the response must not be compressed.
    signed.headers.set("Accept-Encoding", "identity");
    return { url: signed.url.href, headers: signed.headers };
  }

  async function signURL(key: string, seconds: number, query: Record<string, string>): Promise<string> {
    const url = urlOf(key, { ...query, "X-Amz-Expires": String(seconds) });
    const signed = await new AwsV4Signer({ ...credentials, method: "GET", url, signQuery: true }).sign();
    // Some servers do not decode a plus sign in a query to a space.
    return signed.url.href.replaceAll("+", "%20");
  }

  function urlOf(key: string, query: Record<string, string> = {}): string {
    const search = new URLSearchParams(query).toString();
    return `${base}${key && `/${key}`}${search && `?${search}`}`;
  }
}

/**
 * Amazon expects the bucket in the host name, if its certificate covers that; all other servers accept it in the path.
 */
function bucketURL({ bucket, endpoint, region }: S3Options): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/**
 * The same stream, which fails if no data arrives for too long, or if it ends before its size: a connection was cut. Waiting for
 * a slow reader does not count.
 */
function withoutStalls(
  body: ReadableStream<Uint8Array>,
  { stop, size }: { stop: AbortController; size: number | null },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(() => stop.abort(), silenceTimeoutMs);
        try {
          const { done, value } = await reader.read();
          received += value?.length ?? 0;
          if (done && size !== null && received < size) throw new Error(`${received} of ${size} bytes have arrived`);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(silent(error));
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Why the bucket cannot be used. The end of a sentence that begins with its name. */
export function describeLook(found: Awaited<ReturnType<S3["look"]>>): string {
  if (found === null) return "does not respond";
  if (found.status === 404) return "does not exist";
  return `responds with ${found.status}${found.reason ? `: ${found.reason}` : ""}`;
}

async function readRefusal(response: Response): Promise<Refusal> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The same request may succeed the next time. */
const isPassing = (status: number) => (status >= 500 && status !== 501) || status === 408 || status === 409;

type Busy = { tries: number; patience: Patience; response: Response; description: string };

/** How long to wait before the next try. Throws if the caller does not wait that long. */
function waitUntilLessBusy(call: Call, { tries, patience, response, description }: Busy): number {
  const askedMs = readRetryAfter(response.headers);
  const wait = backoff(tries, askedMs);
  if (call.tries === 1 || wait > patience.leftMs) throw stillBusy(description, askedMs);
  patience.leftMs -= wait;
  return wait;
}

/** S3 itself is never full; other servers have these codes. */
const isFull = (status: number, code: string) =>
  status === 507 || /^(QuotaExceeded|StorageFull|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)$/.test(code);

/** The cause is for the log only: it may contain keys and host names. */
export function refused(reason: string): Problem {
  return withCause(new Problem("unavailable", "The file storage responded with an error; try again later."), reason);
}

const withCause = (problem: Problem, reason: string) => Object.assign(problem, { cause: new Error(reason) });

function silent(cause: unknown): Problem {
  return Object.assign(new Problem("unavailable", "The file storage does not respond; try again."), { cause });
}
