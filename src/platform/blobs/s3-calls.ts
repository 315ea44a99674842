import { AwsV4Signer } from "aws4fetch";
import { Problem } from "../../errors.ts";
import { textOf } from "./s3-xml.ts";

export type S3Options = {
  bucket: string;
  /** Null: Amazon's own for the region. */
  endpoint: string | null;
  region: string;
  accessKeyID: string;
  secretAccessKey: string;
  sessionToken?: string | null;
};

export type Call = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** "" is the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { bytes: Blob | string; sha256: string };
  /** Called now and then while the body is on its way. */
  moved?: (() => void) | undefined;
  tries?: number;
};

export type S3 = {
  /** The store's answer, which is 2xx or 404; all else is tried again where that may help, and is then a Problem. */
  call(call: Call): Promise<Response>;
  /** What the store answers to a look at the bucket; null when it does not answer. */
  look(): Promise<number | null>;
  signURL(key: string, seconds: number, query: Record<string, string>): Promise<string>;
};

/** How long the store may be silent before it counts as gone, retries included. */
const silence = 4_000;
/** How long a store that answers, but with errors, is asked again. */
const patience = 20_000;
/** While a body is sent, the store is asked for a sign of life this often, and has this long to give one. */
const pulse = { everyMs: 1_000, withinMs: 3_000 };
const longestTransfer = 60_000;
const emptySHA256 = new Bun.CryptoHasher("sha256").digest("hex");

/**
 * Signed requests with deadlines. The runtime's own S3 client is not used: it takes no signal, so a store that falls
 * silent holds its callers and their connections for minutes, and it cannot say what the body's SHA-256 must be.
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

  return { call, look, signURL };

  async function call(call: Call): Promise<Response> {
    const busyUntil = performance.now() + patience;
    let silentUntil = performance.now() + silence;
    const moved = () => {
      silentUntil = performance.now() + silence;
      call.moved?.();
    };
    for (let tries = 1; ; tries++) {
      // Full jitter: many copies that were cut off together do not come back together.
      const wait = Math.random() * 200 * 3 ** tries;
      const mayWait = (until: number) => tries < (call.tries ?? 4) && performance.now() + wait < until;
      try {
        const response = await send({ ...call, moved }, silentUntil - performance.now());
        if (response.ok || response.status === 404) return response;
        const isPassing = response.status >= 500 || [408, 409, 429].includes(response.status);
        const failure = refused(await describe(call, response));
        if (!isPassing || !mayWait(busyUntil)) throw failure;
        silentUntil = performance.now() + wait + silence;
      } catch (error) {
        if (error instanceof Problem) throw error;
        // Stopped by us: the time is up. All else came from a connection that broke.
        if ((error as Error).name === "AbortError" || !mayWait(silentUntil)) throw silent(error);
      }
      await Bun.sleep(wait);
    }
  }

  async function look(): Promise<number | null> {
    try {
      return (await send({ method: "HEAD", key: "" }, silence)).status;
    } catch {
      return null;
    }
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
      return new Response(response.body && withoutStalls(response.body, stop), { status, headers });
    } finally {
      clearTimeout(watching);
    }
  }

  /** A body may take its time, but not in silence: who sends one cannot see it move, so the store is asked beside it. */
  function watchTransfer(stop: AbortController, moved?: () => void): NodeJS.Timeout {
    const until = performance.now() + longestTransfer;
    return setInterval(() => {
      const alive = () => (performance.now() > until ? stop.abort() : moved?.());
      send({ method: "HEAD", key: "" }, pulse.withinMs).then(alive, () => stop.abort());
    }, pulse.everyMs);
  }

  async function sign({ method, key, query, headers, body }: Call): Promise<{ url: string; headers: Headers }> {
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: urlOf(key, query),
      headers: { ...headers, "X-Amz-Content-Sha256": body?.sha256 ?? emptySHA256 },
    });
    const signed = await signer.sign();
    // Not signed, as proxies change it. Ranges count stored bytes, so no answer may come compressed.
    signed.headers.set("Accept-Encoding", "identity");
    return { url: signed.url.href, headers: signed.headers };
  }

  async function signURL(key: string, seconds: number, query: Record<string, string>): Promise<string> {
    const url = urlOf(key, { ...query, "X-Amz-Expires": String(seconds) });
    const signed = await new AwsV4Signer({ ...credentials, method: "GET", url, signQuery: true }).sign();
    // Some stores read a plus in a query as a plus.
    return signed.url.href.replaceAll("+", "%20");
  }

  function urlOf(key: string, query: Record<string, string> = {}): string {
    const search = new URLSearchParams(query).toString();
    return `${base}${key && `/${key}`}${search && `?${search}`}`;
  }
}

/** Amazon wants the bucket in the host name, where a certificate covers it; all others know it in the path. */
function bucketURL({ bucket, endpoint, region }: S3Options): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** The same stream, ended with an error when nothing comes for too long. A slow reader is not the store's fault. */
function withoutStalls(body: ReadableStream<Uint8Array>, stop: AbortController): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(() => stop.abort(), silence);
        try {
          const { done, value } = await reader.read();
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

async function describe({ method, key }: Call, response: Response): Promise<string> {
  const text = await response.text();
  const [code = "", message = ""] = ["Code", "Message"].map((name) => textOf(text, name));
  return `${method} ${key}: ${response.status} ${code} ${message}`.trim();
}

/** The cause is for the log: it may name keys and hosts. */
export function refused(reason: string): Problem {
  const problem = new Problem("unavailable", "The file storage answers with an error; try again later.");
  return Object.assign(problem, { cause: new Error(reason) });
}

function silent(cause: unknown): Problem {
  return Object.assign(new Problem("unavailable", "The file storage does not answer; try again."), { cause });
}
