import type { BrotliOptions } from "node:zlib";
import { createRemembered } from "../remembered.ts";

type Bytes = Uint8Array<ArrayBuffer>;
export type Encoding = "zstd" | "br" | "gzip";

const worthIt = 1024;
const smallEnoughToWait = 32_768;

/** The encoding of the response, by what the client accepts and we prefer; null for none. */
export function chooseEncoding(accept: string | null, size: number): Encoding | null {
  if (!accept || size < worthIt) return null;
  let chosen = known.get(accept);
  if (chosen === undefined) {
    chosen = readPreference(accept);
    known.set(accept, chosen);
  }
  return chosen;
}

const known = createRemembered<Encoding | null>(200);

function readPreference(accept: string): Encoding | null {
  const refused = /\b(zstd|br|gzip)\s*;\s*q=0(\.0*)?\s*(,|$)/gi;
  const accepted = accept.toLowerCase().replace(refused, "");
  if (accepted.includes("zstd")) return "zstd";
  if (/\bbr\b/.test(accepted)) return "br";
  return accepted.includes("gzip") ? "gzip" : null;
}

/**
 * Small bodies are compressed synchronously, large ones off the event loop, so that they do not delay other requests.
 */
export function compress(body: Bytes, encoding: Encoding): Bytes | Promise<Bytes> {
  return body.length <= smallEnoughToWait ? now[encoding](body) : later[encoding](body);
}

/** Loaded when a response is first compressed. */
const zlib = () => process.getBuiltinModule("node:zlib");

const brotli = (): BrotliOptions => ({ params: { [zlib().constants.BROTLI_PARAM_QUALITY]: 4 } });

const now: Record<Encoding, (body: Bytes) => Bytes> = {
  zstd: (body) => zlib().zstdCompressSync(body),
  br: (body) => zlib().brotliCompressSync(body, brotli()),
  gzip: (body) => zlib().gzipSync(body, { level: 4 }),
};

const later: Record<Encoding, (body: Bytes) => Promise<Bytes>> = {
  zstd: (body) => finished((done) => zlib().zstdCompress(body, done)),
  br: (body) => finished((done) => zlib().brotliCompress(body, brotli(), done)),
  gzip: (body) => finished((done) => zlib().gzip(body, done)),
};

function finished(work: (done: (error: Error | null, result: Bytes) => void) => void): Promise<Bytes> {
  return new Promise((resolve, reject) => work((error, result) => (error ? reject(error) : resolve(result))));
}
