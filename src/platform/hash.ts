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

export function hashOfText(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** Not for secrets: somebody could find two texts with the same hash. */
export const quickHashOf = (text: string): bigint => Bun.hash.wyhash(text);
