import type { ByteStream } from "./byte-stream.ts";

/** The SHA-256 of a stream, in hexadecimal. */
export async function hashOf(stream: ByteStream): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of stream) {
    hasher.update(chunk);
    stream.release?.(chunk);
  }
  return hasher.digest("hex");
}

export type Hasher = Bun.CryptoHasher;
export const createHasher = (algorithm: "sha1" | "sha256" | "md5"): Hasher => new Bun.CryptoHasher(algorithm);

export const hashOfBytes = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

export function hashOfText(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** The same bytes, which are also hashed. */
export function hashed(bytes: ReadableStream<Uint8Array>, hasher: Hasher): ReadableStream<Uint8Array> {
  const hashing = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      hasher.update(chunk);
      controller.enqueue(chunk);
    },
  });
  return bytes.pipeThrough(hashing);
}

/** Not for secrets: somebody could find two texts with the same hash. */
export const quickHashOf = (text: string): bigint => Bun.hash.wyhash(text);
